import { createClock, NOW } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { createDevPages, type DevPages } from '../../../src/build/dev-pages.js';

const ask = (pages: DevPages, ...pids: string[]) => {
	for (const pid of pids) pages.ask({ pid, from: 'reviews', version: undefined });
};
const pidsOf = (pages: DevPages, path: string) => pages.get(path)?.asked.map(({ pid }) => pid);

test('pages rendered at once each keep what they asked for', async () => {
	const clock = createClock();
	const pages = createDevPages(clock.now);
	const first = Promise.withResolvers<void>();
	const ended = pages.render('/a', async () => {
		ask(pages, 'p-1');
		await first.promise;
		ask(pages, 'p-2');
	});
	clock.pass(1_000);
	await pages.render('/b/', async () => ask(pages, 'p-3'));
	first.resolve();
	await ended;
	expect(pidsOf(pages, '/a')).toEqual(['p-1', 'p-2']);
	expect(pages.get('/a')?.startedAt).toBe(NOW);
	expect(pages.get('/b/')).toMatchObject({ startedAt: NOW + 1_000, asked: [{ pid: 'p-3' }] });
});

test('a page rendered again replaces what was known, also if it asks for nothing now', async () => {
	const pages = createDevPages(Date.now);
	await pages.render('/a', async () => ask(pages, 'p-1'));
	await pages.render('/a', async () => ask(pages, 'p-2'));
	expect(pidsOf(pages, '/a')).toEqual(['p-2']);
	await pages.render('/a', async () => {});
	expect(pidsOf(pages, '/a')).toEqual([]);
	await pages.render('/style.css', async () => {});
	expect(pages.get('/style.css')).toBeUndefined();
});

test('a server island adds to its page', async () => {
	const pages = createDevPages(Date.now);
	await pages.render('/a', async () => ask(pages, 'p-1'));
	await pages.render('/a', async () => ask(pages, 'p-2'), true);
	await pages.render('/a', async () => {}, true);
	expect(pidsOf(pages, '/a')).toEqual(['p-1', 'p-2']);
});

test('an address is the same page however it is encoded', async () => {
	const pages = createDevPages(Date.now);
	await pages.render('/k%C3%A4se', async () => ask(pages, 'p-1'));
	expect(pidsOf(pages, '/käse')).toEqual(['p-1']);
});

test('a page rendered outside this process is found by its address', async () => {
	const pages = createDevPages(Date.now);
	const asked = Promise.withResolvers<void>();
	const ended = pages.render('/a%20b', () => asked.promise);
	pages.runOn('/a b', () => ask(pages, 'p-1'));
	asked.resolve();
	await ended;
	expect(pidsOf(pages, '/a b')).toEqual(['p-1']);
});
