import { settled } from 'product-reviews-test-support/settled';
import { afterEach, expect, test, vi } from 'vitest';
import { createPublisher } from '../../../src/webhook/create-publisher.js';
import { loadPublish, type PublishReviews } from '../../../src/webhook/load-publish.js';

type Published = Awaited<ReturnType<PublishReviews>>;

const STORE = new URL('file:///srv/shop/reviews.db');
const NOTHING: Published = { files: [], rebuild: [], failed: [] };
const REBUILD = { page: '/a', reason: 'its file is gone' };

afterEach(() => void vi.doUnmock('astro-product-reviews/publish'));

const only = (...pids: string[]) => ({ pids, all: false });

/** A publisher whose publishes end when the test says so. */
function createSetup(options: { readonly rebuild?: () => Promise<void> } = {}) {
	const asked: (readonly string[] | 'all')[] = [];
	const ends: PromiseWithResolvers<Published>[] = [];
	const lines: string[] = [];
	const rebuilds: unknown[] = [];
	const publisher = createPublisher({
		load: async () => (given) => {
			expect(given.storeFile).toBe(STORE);
			asked.push(given.pids);
			const end = Promise.withResolvers<Published>();
			ends.push(end);
			return end.promise;
		},
		locateStore: () => STORE,
		rebuild: async (changed) => {
			rebuilds.push(changed);
			await options.rebuild?.();
		},
		say: (line) => lines.push(line),
		warn: (line) => lines.push(`warning: ${line}`),
	});
	const end = async (result: Partial<Published> = {}) => {
		ends.at(-1)?.resolve({ ...NOTHING, ...result });
		await settled();
	};
	return { asked, ends, lines, rebuilds, publisher, end };
}

test('what changes during a publish is one more, after it', async () => {
	const { publisher, asked, end, lines } = createSetup();
	const first = publisher(only('a'));
	await settled();
	const others = [publisher(only('b')), publisher(only('c', 'b')), publisher(only('a'))];
	await settled();
	expect(asked).toEqual([['a']]);
	await end({ files: ['a/index.html'] });
	await first;
	expect(asked).toEqual([['a'], ['b', 'c', 'a']]);
	await end({ files: ['b/index.html', 'c/index.html'] });
	await Promise.all(others);
	expect(lines.map((line) => line.replace(/\d\.\d\d s/, 'x s'))).toEqual([
		'Published: 1 file changed in x s.',
		'Published: 2 files changed in x s.',
	]);
	const last = publisher(only('d'));
	await settled();
	await end();
	await last;
	expect(asked).toHaveLength(3);
});

test('anything may have changed: everything is published', async () => {
	const { publisher, asked, end } = createSetup();
	void publisher(only('a'));
	await settled();
	const others = [publisher(only('b')), publisher({ pids: [], all: true })];
	await end();
	await end();
	await Promise.all(others);
	expect(asked).toEqual([['a'], 'all']);
});

test('a product for which the service failed is a failure of its own event only', async () => {
	const { publisher, end } = createSetup();
	void publisher(only('a'));
	await settled();
	const others = Promise.allSettled([publisher(only('b')), publisher(only('c')), publisher(only('c', 'd'))]);
	await end();
	await end({ failed: [{ pid: 'b', reason: 'it answered 500' }] });
	expect((await others).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('a publish that fails is a failure of all its events, and the next one starts', async () => {
	const { publisher, ends, end } = createSetup();
	const failing = publisher(only('a'));
	await settled();
	const next = publisher(only('b'));
	ends[0]?.reject(new Error('The disk is full.'));
	await expect(failing).rejects.toThrow('The disk is full.');
	await settled();
	await end();
	await next;
});

test('a rebuild is started only if pages need one', async () => {
	const { publisher, end, rebuilds, lines } = createSetup();
	const first = publisher(only('a'));
	await settled();
	await end();
	await first;
	expect(rebuilds).toEqual([]);
	const second = publisher(only('b'));
	await settled();
	await end({ rebuild: [REBUILD, REBUILD] });
	await second;
	expect(rebuilds).toEqual([only('b')]);
	expect(lines.at(-1)).toBe('warning: Left to a rebuild: 2 pages, such as /a (its file is gone).');
	const third = publisher(only('c'));
	await settled();
	await end({ rebuild: [{ page: null, reason: 'the last build did not finish' }] });
	await third;
	expect(lines.at(-1)).toBe('warning: Left to a rebuild: all pages (the last build did not finish).');
});

test('a rebuild that cannot be started is a failure: the sender tries again', async () => {
	const { publisher, end } = createSetup({
		rebuild: async () => {
			throw new Error('The hook answered 500.');
		},
	});
	const result = publisher(only('a'));
	const rejected = expect(result).rejects.toThrow('The hook answered 500.');
	await settled();
	await end({ rebuild: [REBUILD] });
	await rejected;
});

test('where the package cannot be loaded, the message says what is needed', async () => {
	vi.doMock('astro-product-reviews/publish', () => {
		throw new Error('Cannot find package');
	});
	await expect(loadPublish()).rejects.toThrow(
		/^"webhook\.publish" needs Node, and the package astro-product-reviews installed where the server runs \(.+\)\.$/,
	);
});
