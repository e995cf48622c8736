import { expect, test } from 'vitest';
import { OPERATIONS, type Operation } from '../../src/contract/index.js';
import type { ReviewsClient } from '../../src/index.js';
import { TOKEN, useSetup } from '../support/setup.js';

const setup = useSetup();

const REQUESTS: Readonly<Record<Operation, (client: ReviewsClient) => Promise<unknown>>> = {
	starRating: (client) => client.getStarRatings(['p-1']),
	productReviewData: (client) => client.getProductReviewData('p-1'),
	crawlerReviews: (client) => client.getCrawlerReviews('p-1'),
};

test.each(Object.keys(REQUESTS) as Operation[])(
	'the event of %s names method and address, and nothing that may be secret',
	async (operation) => {
		// Whatever became of it.
		await REQUESTS[operation](setup.client()).catch(() => {});
		const { method, path } = OPERATIONS[operation];
		expect(setup.events[0]).toMatchObject({
			operation,
			method,
			url: setup.server.origin + path,
			pids: ['p-1'],
		});
		expect(JSON.stringify(setup.events)).not.toContain(TOKEN);
	},
);
