import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { throttleOf } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ProviderPage, ReviewProvider } from '../../../src/options/provider.js';
import { createOnePass } from '../../../src/providers/one-pass.js';
import { createProviderCalls } from '../../../src/providers/provider-call.js';
import { createReviewFetcher } from '../../../src/providers/review-fetcher.js';

const PIDS = Array.from({ length: 30 }, (_, index) => `p-${index}`);
const text = (pid: string) => ({ id: pid, rating: 5, body: `About ${pid}` });

/** A run with a provider whose `all` gives these pages, and the calls of its functions. */
function start(
	pages: (cursor: number) => unknown,
	{ isRun = true, ...more }: Partial<ReviewProvider> & { isRun?: boolean } = {},
) {
	const calls: string[] = [];
	let time = 0;
	const provider: ReviewProvider = {
		reviews: (pid) => {
			calls.push(pid);
			return { reviews: [text(pid)] };
		},
		all: (cursor = '0') => {
			calls.push(`all ${cursor}`);
			return pages(Number(cursor)) as ProviderPage;
		},
		...more,
	};
	const asked = createProviderCalls(provider, {
		...throttleOf(parseOptions({ retries: 1, concurrency: 4 })),
		...{ env: () => undefined, monotonicNow: () => time },
		...(isRun && { onePass: createOnePass }),
		sleep: async (milliseconds) => {
			time += milliseconds;
		},
	});
	const fetcher = createReviewFetcher(asked);
	const bodies = async (pids = PIDS) => {
		const answers = await Promise.all(pids.map((pid) => asked.reviews(pid)));
		return answers.map(({ content }) => content?.record.reviews.map(({ body }) => body).join());
	};
	return { asked, fetcher, calls, bodies };
}

/** All reviews, ten on a page. */
const tens = (cursor: number) => ({
	reviews: PIDS.slice(cursor, cursor + 10).map((pid) => ({ ...text(pid), pid })),
	next: cursor + 10 < PIDS.length ? String(cursor + 10) : null,
});

test('a few products are asked for one by one, and of more the reviews of all are read once', async () => {
	const { bodies, calls, fetcher } = start(tens);
	expect(await bodies()).toEqual(PIDS.map((pid) => `About ${pid}`));
	expect(calls.toSorted()).toEqual([...PIDS.slice(0, 20), 'all 0', 'all 10', 'all 20'].toSorted());
	expect(await bodies(['p-1', 'p-29', 'unknown'])).toEqual(['About p-1', 'About p-29', '']);
	expect(calls).toHaveLength(23);
	await fetcher.close();
	await fetcher.close();
});

test('a server, which never ends, reads no pass', async () => {
	const { bodies, calls } = start(tens, { isRun: false });
	await bodies();
	expect(calls).toEqual(PIDS);
});

test('a review that comes twice counts once, one without an id each time, and the order is that of the pages', async () => {
	const pages = [
		{
			reviews: [
				{ ...text('a'), pid: 'p-25' },
				{ ...text('b'), pid: 7 },
			],
			next: '1',
		},
		{ reviews: [{ ...text('a'), pid: 'p-25' }], next: '2' },
		{ reviews: [], next: '3' },
		{ reviews: ['c', 'd', 'd'].map((id) => ({ pid: 'p-25', rating: 1, body: `About ${id}` })) },
	];
	const { bodies } = start((cursor) => pages[cursor], { sourceId: (pid) => pid.replace('gid-', '') });
	const all = await bodies([...PIDS, 'gid-p-25', 'gid-7']);
	expect(all.slice(-2)).toEqual(['About a,About c,About d,About d', 'About b']);
});

test.each<[string, (cursor: number) => unknown, string]>([
	[
		'throws',
		() => Promise.reject(new Error('boom')),
		'all() of the provider] all products: boom after 2 tries.',
	],
	['has no list', () => ({ items: [] }), 'a page without an array "reviews"'],
	[
		'names no product',
		() => ({ reviews: [{ ...text('a'), pid: 'a' }, text('b')] }),
		'at position 2 of a page',
	],
	['has another cursor', () => ({ reviews: [], next: 2 }), 'a "next" that is not a text'],
	['leads to itself', () => ({ reviews: [], next: '7' }), 'leads from the page "7" to itself'],
	[
		'gives the same reviews for each page',
		(cursor) => ({ reviews: [{ ...text('a'), pid: 'a' }], next: String(cursor + 1) }),
		'does not end: it gives the same reviews again and again',
	],
])(
	'a pass that %s is a failure of each product, and of none that was asked for before',
	async (_what, pages, message) => {
		const { asked, bodies } = start(pages);
		expect(await bodies(PIDS.slice(0, 20))).toHaveLength(20);
		for (const pid of ['p-20', 'p-21'])
			expect((await errorOf(asked.reviews(pid))).message).toContain(message);
	},
);
