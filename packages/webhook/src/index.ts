export type { Change } from './changes/change.js';
export type { ChangeLog, WaitingChanges, WaitingCount } from './collect/change-log.js';
export type { Collector } from './collect/collector.js';
export type { Clock, CollectorOptions, CollectorStatus } from './collect/collector-options.js';
export { createCollector } from './collect/create-collector.js';
export { createMemoryLog } from './collect/memory-log.js';
export type { Rebuild, RebuildRequest } from './collect/rebuild.js';
export { WebhookConfigurationError, WebhookError, type WebhookErrorCode } from './errors.js';
export { createWebhookHandler } from './handler/create-webhook-handler.js';
export type { Replays } from './handler/replays.js';
export type { WebhookHandlerOptions } from './handler/webhook-handler-options.js';
export { type DeployHookOptions, deployHook } from './triggers/deploy-hook.js';
export { type GithubDispatchOptions, githubDispatch } from './triggers/github-dispatch.js';
export {
	type ReadVariable,
	readRequired,
	readVerifiers,
	type VerifierVariables,
} from './verify/read-verifiers.js';
export { sharedHeader } from './verify/shared-header.js';
export { type StandardWebhooksOptions, standardWebhooks } from './verify/standard-webhooks.js';
export type { UnverifiedRequest, Verified, Verifier, Verify, VerifyFunction } from './verify/verifier.js';
