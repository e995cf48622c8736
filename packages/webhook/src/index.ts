export type { Change } from './changes/change.js';
export type { ChangeLog, WaitingChanges, WaitingCount } from './collect/change-log.js';
export { createMemoryLog } from './collect/change-log.js';
export type { Clock, Collector, CollectorOptions, CollectorStatus } from './collect/collector.js';
export { createCollector } from './collect/create-collector.js';
export type { Rebuild, RebuildRequest } from './collect/rebuild.js';
export { WebhookConfigurationError, WebhookError, type WebhookErrorCode } from './errors.js';
export type { Replays, WebhookHandlerOptions } from './handler/webhook-handler.js';
export { createWebhookHandler } from './handler/webhook-handler.js';
export {
	type DeployHookOptions,
	deployHook,
	type GithubDispatchOptions,
	githubDispatch,
} from './triggers/triggers.js';
export type { UnverifiedRequest, Verified, Verifier, Verify, VerifyFunction } from './verify/verify.js';
export {
	type ReadVariable,
	readRequired,
	readVerifiers,
	type StandardWebhooksOptions,
	sharedHeader,
	standardWebhooks,
	type VerifierVariables,
} from './verify/verify.js';
