// receive-reviews.js
import { createWebhookHandler, deployHook, standardWebhooks } from 'product-reviews-webhook';

const rebuild = deployHook(process.env.DEPLOY_HOOK_URL);

export const receiveReviews = createWebhookHandler({
	verify: standardWebhooks(process.env.REVIEWS_WEBHOOK_SECRET),
	onChange: ({ pids, all }) => rebuild({ pids, all, signal: AbortSignal.timeout(10_000), log: console.log }),
	onError: console.error,
});
