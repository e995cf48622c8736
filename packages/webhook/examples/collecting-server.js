// collecting-server.js
import { createServer } from 'node:http';
import { Collector, createWebhookHandler, githubDispatch, standardWebhooks } from 'product-reviews-webhook';
import { openSqliteLog, toNodeHandler } from 'product-reviews-webhook/node';

const collector = new Collector({
	log: openSqliteLog('changes.db'),
	rebuild: githubDispatch({ repository: 'shop/storefront', token: process.env.GITHUB_DISPATCH_TOKEN }),
	debounce: 60_000,
});
await collector.start();
const handler = createWebhookHandler({
	verify: standardWebhooks(process.env.REVIEWS_WEBHOOK_SECRET),
	onChange: (change) => collector.add(change),
});
createServer(toNodeHandler(handler)).listen(4500);
