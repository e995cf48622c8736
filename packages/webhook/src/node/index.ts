export { type CommandOptions, command } from './command.js';
export { openSqliteLog } from './sqlite-log.js';
export { type Forwarding, type Receiver, type ReceiverOptions, startReceiver } from './start-receiver.js';
export { type NodeHandlerOptions, toNodeHandler } from './to-node-handler.js';
