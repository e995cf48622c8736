import { rmSync, symlinkSync } from 'node:fs';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { ASTRO_MAJOR, createProject } from '../support/build/project.js';
import { expectMarks, markOf, productIds, startService, TOKEN } from '../support/build/service.js';

const PIDS = productIds(12);
const service = await startService(PIDS);
const RUN = { service: service.url, options: { products: PIDS }, pages: PIDS, environment: TOKEN };

afterAll(service.close);

// Sites with a base, or with pages as files, are among the golden outputs.
test('eight pages at once, html as it is, no site, and a folder with spaces and letters outside ASCII: pages hold each product’s own reviews, the address of the service, and the styles of the components that they show', async () => {
	// The Vite of Astro 6 cannot do with a "#" in the project's folder.
	const suffix = ` mein Käse Laden ☕${ASTRO_MAJOR > 6 ? ' #1' : ''}`;
	const build = { concurrency: 8, inlineStylesheets: 'always' };
	const project = createProject(
		'store',
		{ ...RUN, config: { site: null, build, compressHTML: false } },
		suffix,
	);
	onTestFinished(project.remove);
	expect(await project.build()).toContain('Set "site" in the Astro configuration: ');
	expectMarks(project, PIDS);
	const page = project.read('products/n1/index.html');
	const [, text = ''] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(page) ?? [];
	const address = 'https://shop.example/products/p-1/';
	expect(JSON.parse(text)).toMatchObject({ '@id': address, url: address });
	const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style]) => style).join('');
	expect(styles).toContain('.pr-stars');
	// Of `<ReviewSection>` and its parts, which this page does not show.
	expect(styles).not.toContain('.pr-filter-legend');
});

test('a project folder behind a symbolic link', async () => {
	const project = createProject('store', RUN);
	const link = `${project.root}-link`;
	onTestFinished(project.remove);
	onTestFinished(() => rmSync(link, { force: true }));
	symlinkSync(project.root, link);
	const run = project.start(['build', '--root', link]);
	expect(await run.ended, run.output()).toBe(0);
	expect(project.read('products/n1/index.html')).toContain(markOf(0));
	expect((await project.command(['cache', 'ls', '--root', link])).printed).toContain('12 products, ');
});
