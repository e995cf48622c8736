// src/pages/api/reviews.js
import { getSecret } from 'astro:env/server';
import { createWebhookHandler, deployHook, standardWebhooks } from 'product-reviews-webhook';

const rebuild = deployHook(getSecret('DEPLOY_HOOK_URL'));
const receiveReviews = createWebhookHandler({
	verify: standardWebhooks(getSecret('REVIEWS_WEBHOOK_SECRET')),
	onChange: ({ pids, all }) => rebuild({ pids, all, signal: AbortSignal.timeout(10_000), log: console.log }),
	onError: console.error,
});

export const prerender = false;

/** @type {import('astro').APIRoute} */
export const POST = ({ request }) => receiveReviews(request);
