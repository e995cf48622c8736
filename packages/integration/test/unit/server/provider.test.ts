import { expect, test, vi } from 'vitest';
import { toLiveSettings } from '../../../src/astro/vite-plugins.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { createLiveSource } from '../../../src/server/live-source.js';
import { pidsOf } from '../../support/unit/live.js';

const warn = vi.fn();
const start = (provider: object) =>
	createLiveSource(toLiveSettings(parseOptions({ retries: 0, onDemand: { maxAge: 0 } })), {
		getSecret: (name) => `value of ${name}`,
		provider: { exported: provider },
		warn,
	});

test('a server gets reviews, and stars in lists, from a provider, and shows the last ones where it fails', async () => {
	let isDown = false;
	const lists: (readonly string[])[] = [];
	const source = start({
		name: 'shop',
		reviews(_pid: string, { env }: { env: (name: string) => string }) {
			if (isDown) throw new Error('no such table');
			return { reviews: [{ rating: 5, body: env('KEY') }] };
		},
		async ratings(pids: readonly string[]) {
			lists.push(pids);
			return pids.map((pid) => ({ pid, average: 4, count: 2 }));
		},
	});
	const stars = await Promise.all(pidsOf(10).map((pid) => source.getStarRating?.(pid)));
	expect(new Set(stars.map((one) => one?.average))).toEqual(new Set([4]));
	expect(lists).toEqual([pidsOf(10)]);
	for (isDown of [false, true])
		expect((await source.getProductReviews('p-1'))?.reviews).toMatchObject([{ body: 'value of KEY' }]);
	await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringContaining('no such table')));
	expect(warn.mock.lastCall?.[0]).toContain('[PR_PROVIDER_FAILED]');
});

test('a module that exports something else is said, and pages have no reviews', async () => {
	expect(await start({ reviews: 5 }).getProductReviews('p-1')).toBeUndefined();
	expect(warn.mock.lastCall?.[0]).toContain(
		'exports by default something that has no function "reviews". [PR_PROVIDER_UNUSABLE]',
	);
});
