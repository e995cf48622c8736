/** Runs in servers with the option `storage`. It uses no Node API, since some servers have none. */
export { openSharedStorage } from './open-shared-storage.js';
