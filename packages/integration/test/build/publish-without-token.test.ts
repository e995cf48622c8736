import { expect, onTestFinished, test } from 'vitest';
import { createPublishedSite } from '../support/build/published-site.js';
import { productIds, startService } from '../support/build/service.js';

test('a site without a token is published, too: stars come from the reviews', async () => {
	const pids = productIds(5);
	const { url, store, close } = await startService(pids);
	onTestFinished(close);
	const site = createPublishedSite('incremental-store', { url, token: '' }, pids);
	onTestFinished(site.project.remove);
	await site.build();
	for (const pid of ['p-1', 'p-2', 'p-3'])
		store.createReview(pid, { rating: 1, author: 'A', body: `News of ${pid}` });
	for (const { id } of store.listReviews({ pid: 'p-4' })) store.deleteReview(id);
	const { status, rebuild, errors } = await site.publishJson(pids);
	expect({ status, rebuild }, errors).toEqual({
		status: 3,
		rebuild: [{ page: '/own-markup/', reason: 'its own markup uses reviews that changed' }],
	});
	const now = site.files();
	const anew = await site.buildAnew();
	expect([...anew.keys()].filter((name) => !now.get(name)?.equals(anew.get(name) as Buffer))).toEqual([
		'own-markup/index.html',
	]);
});
