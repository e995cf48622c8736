export { type CommandOptions, command } from './command.js';
export { openSqliteLog } from './sqlite-log.js';
export { type Receiver, type ReceiverOptions, startReceiver, toNodeHandler } from './start-receiver.js';
