import { expect, test } from 'vitest';
import { ASTRO_MAJOR } from '../support/build/project.js';
import { markOf, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(3);
const { project } = await startShop('on-demand-store', [...PIDS, 'p-live'], {
	pages: PIDS,
	options: { products: PIDS },
});

/** Builds the site anew. @returns what the audit says */
async function build(options: Record<string, unknown> = {}, config: Record<string, unknown> = {}) {
	await project.build({ options, config });
	for (const [index, pid] of PIDS.entries())
		expect(project.read(`client/baked/${pid}/index.html`)).toContain(markOf(index));
	return project.report().audit;
}

test('without an audit, pages are built as well', async () => {
	expect(await build({ audit: 'off' })).toEqual({ pages: 0, findings: [] });
});

test('prerendered pages are built and audited, and the server renders others with the reviews of now', async () => {
	// Those that show something of ours.
	expect(await build()).toEqual({ pages: 3, findings: [] });
	const server = await project.serve();
	try {
		const page = await (await fetch(`${server.url}/live/p-live`)).text();
		expect(page).toContain(markOf(3));
		expect(page).toContain('"reviewCount":2');
	} finally {
		await server.stop();
	}
});

test.runIf(ASTRO_MAJOR > 6)('pages are built by increments', async () => {
	const config = { experimental: { incrementalBuild: true } };
	expect(await build({ audit: 'off' }, config)).toEqual({ pages: 0, findings: [] });
});
