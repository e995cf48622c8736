import { settled } from 'product-reviews-test-support/clock';
import { afterEach, expect, test, vi } from 'vitest';
import { createUpdater, loadUpdate, type UpdateReviews } from '../../../src/server/updater.js';

type Updated = Awaited<ReturnType<UpdateReviews>>;

const BUILD = { root: new URL('file:///srv/shop/'), outDir: 'dist' };
const ALL = { pids: [], all: true };

afterEach(() => void vi.doUnmock('astro-product-reviews/update'));

const only = (...pids: string[]) => ({ pids, all: false });

/** A publisher whose publishes end when the test says so. @param problem of starting a rebuild */
function createSetup(problem?: string, canRebuild = true) {
	const asked: (readonly string[] | 'all')[] = [];
	const ends: PromiseWithResolvers<Updated>[] = [];
	const lines: string[] = [];
	const publisher = createUpdater({
		load: async () => (given) => {
			expect(given).toMatchObject(BUILD);
			asked.push(given.pids);
			const end = Promise.withResolvers<Updated>();
			ends.push(end);
			return end.promise;
		},
		locateBuild: () => BUILD,
		rebuild: canRebuild
			? async (changed) => {
					lines.push(`rebuild: ${JSON.stringify(changed)}`);
					if (problem) throw new Error(problem);
				}
			: undefined,
		say: (line) => lines.push(line.replace(/\d\.\d\d s/, 'x s')),
		warn: (line) => lines.push(`warning: ${line}`),
	});
	/** Starts updates. @returns what gives how each of them ended */
	const update = async (...changes: Parameters<typeof publisher>[0][]) => {
		const all = Promise.allSettled(changes.map((change) => publisher(change)));
		await settled();
		return async () => (await all).map((one) => (one.status === 'rejected' ? one.reason.message : 'done'));
	};
	const end = async (result: Partial<Updated> = {}) => {
		ends.at(-1)?.resolve({ files: [], rebuild: [], failed: [], ...result });
		await settled();
	};
	return { asked, ends, lines, update, end };
}

test('what changes during an update is one more after it, also if the first one fails; anything may be all', async () => {
	const { update, asked, ends, end, lines } = createSetup();
	const first = await update(only('a'));
	const others = await update(only('b'), only('c', 'b'), only('a'));
	expect(asked).toEqual([['a']]);
	ends[0]?.reject(new Error('The disk is full.'));
	expect(await first()).toEqual(['The disk is full.']);
	await settled();
	expect(asked.slice(1)).toEqual([['b', 'c', 'a']]);
	const last = await update(only('d'), ALL);
	await end({ files: ['b/index.html', 'c/index.html'] });
	expect(await others()).toEqual(['done', 'done', 'done']);
	await end();
	expect(await last()).toEqual(['done', 'done']);
	expect(asked.slice(2)).toEqual(['all']);
	expect(lines).toEqual(['Published: 2 files changed in x s.', 'Published: 0 files changed in x s.']);
});

test('a product for which the service failed is a failure of its own event, and of one about all', async () => {
	const { update, end } = createSetup();
	const result = await update(only('b'), only('c'), only('c', 'd'), ALL);
	await end({ failed: [{ pid: 'b', reason: 'it answered 500' }] });
	const failed = 'The service failed for "b".';
	expect(await result()).toEqual([failed, 'done', 'done', failed]);
});

const PAGES = [1, 2].map(() => ({ page: '/a', reason: 'its file is gone' }));
const UNFINISHED = [{ page: null, reason: 'the last build did not finish' }];
test.each([
	[PAGES, undefined, '2 pages, such as /a (its file is gone)'],
	[UNFINISHED, undefined, 'all pages (the last build did not finish)'],
	// The sender tries again.
	[PAGES, 'The hook answered 500.', '2 pages, such as /a (its file is gone)'],
])('a rebuild is started if pages need one: %j %s', async (rebuild, problem, said) => {
	const { update, end, lines } = createSetup(problem);
	const result = await update(only('a'));
	await end({ rebuild });
	expect(await result()).toEqual([problem ?? 'done']);
	const [, ...others] = lines;
	expect(others).toEqual([`warning: Left to a rebuild: ${said}.`, 'rebuild: {"pids":["a"],"all":false}']);
});

test('an event that changed no page is not done if nothing rebuilds', async () => {
	for (const [rebuild, ended] of [
		[PAGES, 'done'],
		[UNFINISHED, 'All pages need a rebuild, and no option starts one: the last build did not finish.'],
	] as const) {
		const { update, end } = createSetup(undefined, false);
		const result = await update(only('a'));
		await end({ rebuild });
		expect(await result()).toEqual([ended]);
	}
});

test('where the package cannot be loaded, the message says what is needed', async () => {
	vi.doMock('astro-product-reviews/update', () => {
		throw new Error('Cannot find package');
	});
	await expect(loadUpdate()).rejects.toThrow(
		/^"webhook\.update" needs Node, and the package astro-product-reviews installed where the server runs \(.+\)\.$/,
	);
});
