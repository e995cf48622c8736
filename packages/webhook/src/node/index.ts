export { type CommandOptions, command } from './command.js';
export { openSqliteLog } from './sqlite-log.js';
export type {
	CollectingOptions,
	ListeningOptions,
	ReadyCollector,
	ReceiverOptions,
} from './start-receiver.js';
export { type Receiver, startReceiver } from './start-receiver.js';
export { type NodeHandlerOptions, toNodeHandler } from './to-node-handler.js';
