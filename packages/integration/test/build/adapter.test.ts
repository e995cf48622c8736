import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASTRO_MAJOR, type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';

const PIDS = productIds(3);
const projects: BuildProject[] = [];
let service: Sandbox;

beforeAll(async () => {
	service = await startService(PIDS);
});

afterAll(async () => {
	for (const project of projects) project.remove();
	await service.close();
});

/** What the site has, the integration's options, the rest of the configuration, and the pages that are audited. */
const SITES: [string, object, Record<string, unknown>, number][] = [
	['the audit', {}, {}, 3],
	['incremental builds', { audit: 'off' }, { experimental: { incrementalBuild: true } }, 0],
	['neither', { audit: 'off' }, {}, 0],
];

test.each(SITES.filter(([name]) => ASTRO_MAJOR > 6 || name !== 'incremental builds'))(
	'a site with an adapter is built with %s',
	async (_name, options, config, audited) => {
		const project = createProject('adapter-store');
		projects.push(project);
		const { status, output } = await project.build({
			service: service.url,
			options: { products: PIDS, ...options },
			config,
			pages: PIDS,
		});
		expect(status, output).toBe(0);
		for (const [index, pid] of PIDS.entries()) {
			expect(project.read(`client/${pid}/index.html`)).toContain(markOf(index));
		}
		const report = join(project.root, '.cache/product-reviews/product-reviews-report.json');
		expect(JSON.parse(readFileSync(report, 'utf8')).audit).toEqual({ pages: audited, findings: [] });
	},
);
