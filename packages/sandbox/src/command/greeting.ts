import { OPERATIONS } from 'product-reviews-client/contract';
import type { Sandbox } from '../start-sandbox.js';
import type { Webhook } from '../webhooks/webhook-input.js';

/** What the command prints once it listens: where, with which ids, and a line to try for each operation. */
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

Ctrl+C ends it.
`;
}

function webhookLines({ url, secret }: Webhook): string {
	return `  webhook       ${url}\n    its secret  ${secret}\n`;
}

/** For a shell. */
function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
