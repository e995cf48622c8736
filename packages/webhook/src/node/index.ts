export { type CommandOptions, command } from './command.js';
export { openSqliteLog } from './sqlite-log.js';
export { type Receiver, type ReceiverOptions, startReceiver } from './start-receiver.js';
export { toNodeHandler } from './to-node-handler.js';
