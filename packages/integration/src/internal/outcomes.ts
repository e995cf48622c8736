export type { Status } from '../outcomes/create-outcomes.js';
export { createTally } from '../outcomes/tally.js';
