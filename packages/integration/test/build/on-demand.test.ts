import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASTRO_MAJOR, type BuiltServer } from '../support/build/project.js';
import { editReviews, markOf, productIds, startShop } from '../support/build/service.js';

const { project, service } = await startShop('on-demand-store', productIds(12), {
	pages: ['p-1'],
	options: { products: undefined, onDemand: { timeout: '10s' } },
});
let server: BuiltServer;

beforeAll(async () => {
	await project.build();
	server = await project.serve();
});

afterAll(() => server?.stop());

const get = (path: string) => fetch(`${server.url}${path}`, { signal: AbortSignal.timeout(20_000) });
const text = async (path: string) => (await get(path)).text();

test.runIf(ASTRO_MAJOR > 6)(
	'a page that the route cache keeps is purged by the tag of its product',
	async () => {
		expect(await text('/kept/p-6')).toContain(markOf(5));
		editReviews(service, 'p-6', 'Changed since.');
		const kept = await get('/kept/p-6');
		expect(kept.headers.get('x-astro-cache')).toBe('HIT');
		expect(await kept.text()).toContain(markOf(5));
		// Another product's page stays.
		await text('/kept/p-7');
		await fetch(`${server.url}/purge?pid=p-6`, { method: 'POST', headers: { origin: server.url } });
		const purged = await get('/kept/p-6');
		expect(purged.headers.get('x-astro-cache')).toBe('MISS');
		expect(await purged.text()).toContain('Changed since.');
		expect((await get('/kept/p-7')).headers.get('x-astro-cache')).toBe('HIT');
	},
);

test('prerendered pages hold their reviews, and a server island on one brings those of now', async () => {
	expect(await text('/baked/p-1')).toContain(markOf(0));
	const html = await text('/island/p-1');
	expect(html).toContain('Waiting');
	expect(html).not.toContain(markOf(0));
	const address = /\/_server-islands\/[^'"\s]+/.exec(html)?.[0].replaceAll('&amp;', '&');
	expect(await text(String(address))).toContain(markOf(0));
});

test('a live collection gives entries with hints for the route cache', async () => {
	expect(await (await get('/entry/p-8.json')).json()).toMatchObject({
		entry: { id: 'p-8', data: { pid: 'p-8', aggregate: { count: 2, average: 4.5 } } },
		cacheHint: { tags: ['reviews', 'reviews:p-8'], lastModified: expect.any(String) },
		count: 1,
	});
});

test('in a dev server the same pages show the reviews that it has', async () => {
	const dev = await project.dev({ options: { retries: 0 } });
	try {
		for (const path of ['/live/p-10', '/kept/p-10', '/entry/p-10.json']) {
			expect(await (await fetch(`${dev.url}${path}`)).text()).toContain(markOf(9));
		}
	} finally {
		await dev.stop();
	}
});
