// src/worker.js
import { env } from 'cloudflare:workers';
import { createWebhookHandler, deployHook, standardWebhooks } from 'product-reviews-webhook';

const rebuild = deployHook(env.DEPLOY_HOOK_URL);
const receiveReviews = createWebhookHandler({
	verify: standardWebhooks(env.REVIEWS_WEBHOOK_SECRET),
	onChange: ({ pids, all }) => rebuild({ pids, all, signal: AbortSignal.timeout(10_000), log: console.log }),
	onError: console.error,
});

export default { fetch: receiveReviews };
