import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBuiltServer } from '../support/build/built-server.js';
import { ASTRO_MAJOR, type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';

const PIDS = productIds(3);
const projects: BuildProject[] = [];
let service: Sandbox;

beforeAll(async () => {
	service = await startService([...PIDS, 'p-live']);
});

afterAll(async () => {
	for (const project of projects) project.remove();
	await service.close();
});

async function build(options: Record<string, unknown> = {}, config: Record<string, unknown> = {}) {
	const project = createProject('on-demand-store');
	projects.push(project);
	const { status, output } = await project.build({
		service: service.url,
		options: { products: PIDS, ...options },
		config,
		pages: PIDS,
	});
	expect(status, output).toBe(0);
	for (const [index, pid] of PIDS.entries())
		expect(project.read(`client/baked/${pid}/index.html`)).toContain(markOf(index));
	const report = join(project.root, '.cache/product-reviews/product-reviews-report.json');
	return { project, audit: JSON.parse(readFileSync(report, 'utf8')).audit };
}

test('without an audit, pages are built as well', async () => {
	expect((await build({ audit: 'off' })).audit).toEqual({ pages: 0, findings: [] });
});

test('prerendered pages are built and audited, and the server renders others with the reviews of now', async () => {
	const { project, audit } = await build();
	// Those that show something of ours.
	expect(audit).toEqual({ pages: 3, findings: [] });
	const server = await startBuiltServer(project.root, {
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: 'W-1001',
	});
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
	expect((await build({ audit: 'off' }, config)).audit).toEqual({ pages: 0, findings: [] });
});
