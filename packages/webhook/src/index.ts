export type { Change, ChangeLog, Hold, WaitingChanges } from './change-log.js';
export { createMemoryLog } from './change-log.js';
export type { CollectorOptions, CollectorStatus, Rebuild, RebuildRequest } from './collector.js';
export { Collector } from './collector.js';
export { WebhookConfigurationError, WebhookError, type WebhookErrorCode } from './errors.js';
export type { WebhookHandlerOptions } from './handler.js';
export { createWebhookHandler } from './handler.js';
export { deployHook, type GithubDispatchOptions, githubDispatch, type TriggerOptions } from './triggers.js';
export type { UnverifiedRequest, Verified, Verifier, Verify } from './verify.js';
export {
	type ReadVariable,
	readRequired,
	readVerifiers,
	sharedHeader,
	sharedQuery,
	standardWebhooks,
	type VerifierVariables,
} from './verify.js';
