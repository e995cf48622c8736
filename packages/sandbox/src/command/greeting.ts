import { OPERATIONS } from 'product-reviews-client/contract';
import type { Sandbox } from '../start-sandbox.js';
import type { Webhook } from '../webhooks/webhook-input.js';

/** Printed once the sandbox listens: its address, ids, and a command to try for each operation. */
export function greeting({ url, wsid, token, store, webhooks }: Sandbox): string {
	const post = (path: string, body: string) =>
		`curl -s ${url}${path} -H ${quoted(`Authorization: Bearer ${token}`)} -H 'Content-Type: application/json' -d '${body}'`;
	const query = new URLSearchParams({ wsid, pid: 'p-1', ihtml: 'true', ijsonld: 'true' });
	return `Review sandbox with ${store.listProducts().length} products: ${url}
  website id    ${wsid}
  access token  ${token}
${webhooks.list().map(webhookLines).join('')}
Star rating:
  ${post(OPERATIONS.starRating.path, '{"listProductId":["p-1","p-2"]}')}
Product review data:
  ${post(OPERATIONS.productReviewData.path, '{"productId":"p-1"}')}
Crawler-readable review HTML:
  curl -s ${quoted(`${url}${OPERATIONS.crawlerReviews.path}?${query}`)}

Press Ctrl+C to stop.
`;
}

function webhookLines({ url, secret }: Webhook): string {
	return `  webhook       ${url}\n    secret      ${secret}\n`;
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
