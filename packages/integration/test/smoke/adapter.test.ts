import { expect, onTestFinished, test } from 'vitest';
import { ASTRO_MAJOR } from '../support/build/project.js';
import { markOf, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(3);
const { project } = await startShop('on-demand-store', [...PIDS, 'p-live'], {
	pages: PIDS,
	options: { products: PIDS, onDemand: { timeout: '10s' } },
});

/** Builds the site anew. @returns what the audit says */
async function build(options: Record<string, unknown> = {}, config: Record<string, unknown> = {}) {
	await project.build({ options, config });
	for (const [index, pid] of PIDS.entries())
		expect(project.read(`client/baked/${pid}/index.html`)).toContain(markOf(index));
	return project.report().audit;
}

// What a server shows of reviews that are old or do not come is shown by the unit tests of its source.
test('prerendered pages are built and audited, and the server renders others, and server islands, with the reviews of now', async () => {
	// Those that show something of ours.
	expect(await build()).toEqual({ pages: 3, findings: [] });
	const server = await project.serve();
	const get = async (path: string) => (await fetch(server.url + path)).text();
	onTestFinished(server.stop);
	const page = await get('/live/p-live');
	expect(page).toContain(markOf(3));
	expect(page).toContain('"reviewCount":2');
	const prerendered = await get('/island/p-1');
	expect(prerendered).toContain('Waiting');
	expect(prerendered).not.toContain(markOf(0));
	const island = /\/_server-islands\/[^'"\s]+/.exec(prerendered)?.[0].replaceAll('&amp;', '&');
	expect(await get(String(island))).toContain(markOf(0));
	// A live collection gives entries with hints for the route cache.
	expect(JSON.parse(await get('/entry/p-live.json'))).toMatchObject({
		entry: { id: 'p-live', data: { pid: 'p-live', aggregate: { count: 2, average: 4.5 } } },
		cacheHint: { tags: ['reviews', 'reviews:p-live'], lastModified: expect.any(String) },
		count: 1,
	});
});

test('in a dev server the same pages show the reviews that it has', async () => {
	const dev = await project.dev();
	onTestFinished(dev.stop);
	for (const path of ['/live/p-live', '/kept/p-live', '/entry/p-live.json'])
		expect(await (await fetch(dev.url + path)).text()).toContain(markOf(3));
});

test('pages are built without an audit, and by increments where Astro can', async () => {
	const config = ASTRO_MAJOR > 6 ? { experimental: { incrementalBuild: true } } : {};
	expect(await build({ audit: 'off' }, config)).toEqual({ pages: 0, findings: [] });
});
