import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type AstroRun, createProject } from '../support/build/project.js';
import { editReviews, productIds, startService, TOKEN } from '../support/build/service.js';
import { runBuilt } from '../support/cli/command.js';

const PIDS = productIds(3);
const service = await startService(PIDS);
const outside = createLastingFolder('places');

afterAll(async () => {
	await service.close();
	outside.remove();
});

function createShop(run: AstroRun = {}) {
	const common = { service: service.url, pages: PIDS, environment: TOKEN };
	const project = createProject('store', { ...common, ...run, options: { products: PIDS, ...run.options } });
	onTestFinished(project.remove);
	return project;
}

/** What a command said on standard error, but for its progress. */
const noticesOf = ({ errors }: { readonly errors: string }) => errors.replaceAll(/^\d+ of .* done\n/gm, '');

const at = (name: string) => join(outside.folder, name);

// Most other tests have the cacheDir of Astro within the project.
test.each<[string, AstroRun, string]>([
	['the option cacheDir', { options: { cacheDir: at('own') } }, at('own')],
	[
		'the cacheDir of Astro, and the output, outside of the project',
		{ config: { cacheDir: at('both'), outDir: at('dist') } },
		at('both/product-reviews'),
	],
])('with %s, every command finds the cache without an option', async (_name, run, folder) => {
	const shop = createShop(run);
	await shop.build();
	expect(existsSync(join(folder, 'manifest.json'))).toBe(true);

	const body = `In ${folder}.`;
	editReviews(service, 'p-1', body);
	const updated = await shop.updateHere(['p-1']);
	expect(updated).toMatchObject({ status: 0, rebuild: [] });
	expect(noticesOf(updated)).toBe('');
	expect(updated.files).toContain('products/n1/index.html');

	const succeeds = async (...args: string[]) => {
		const { environment } = shop.buildCommand();
		const { status, output, errors } = await runBuilt(args, { cwd: shop.root, environment });
		expect([status, noticesOf({ errors })], output).toEqual([0, '']);
		return output;
	};
	expect(await succeeds('cache', 'ls')).toContain('3 products, ');
	expect(await succeeds('cache', 'show', 'p-1')).toContain(body);
	expect(await succeeds('cache', 'invalidate', 'p-2')).toContain('Marked 1 product.');
	expect(await succeeds('report')).toContain('3 products');
	const { findings } = JSON.parse(await succeeds('doctor', '--json'));
	const found = (group: string, check: string) =>
		findings.find((one: Record<string, unknown>) => one['group'] === group && one['check'] === check);
	expect(found('Cache', 'Products')?.text).toContain('3 products');
	expect(found('Last build', 'Update')).toMatchObject({ state: 'ok' });
	expect(found('New reviews', 'Waiting')?.text).toContain('1 product was marked');

	// The marked one is asked for, and has not changed.
	expect(await shop.updateHere([])).toMatchObject({ status: 0, files: [], unchanged: ['p-2'] });
});

test('with another configuration file, or after a refresh alone, commands find the cache, too', async () => {
	const shop = createShop({ options: { cacheDir: '.reviews' } });
	renameSync(join(shop.root, 'astro.config.mjs'), join(shop.root, 'shop.config.mjs'));
	const config = ['--config', 'shop.config.mjs'];
	expect(await shop.command(['refresh', ...config])).toMatchObject({ status: 0 });
	expect((await shop.command(['cache', 'ls'])).printed).toContain('3 products, ');
	expect(await shop.updateHere(['p-1'])).toMatchObject({
		status: 3,
		rebuild: [
			{
				page: null,
				reason: `no build of this project is known in the folder "${basename(shop.root)}": run "astro build" once`,
			},
		],
	});

	const { ended, output } = shop.start(['build', ...config]);
	expect(await ended, output()).toBe(0);
	editReviews(service, 'p-3', 'With another configuration file.');
	expect(await shop.updateHere(['p-3'])).toMatchObject({ status: 0, rebuild: [] });
	expect(shop.read('products/n3/index.html')).toContain('With another configuration file.');
});

test('a build that cannot write the pointer says what commands need instead', async () => {
	const shop = createShop();
	mkdirSync(join(shop.root, 'node_modules'));
	writeFileSync(join(shop.root, 'node_modules/.astro-product-reviews'), 'A file.');
	const output = await shop.build();
	const file = join(shop.root, '.cache/product-reviews/reviews-v8.db');
	expect(output).toContain(`give them "--cache-file ${file}". [PR_FILE_NOT_WRITTEN]`);
	const { status, printed } = await shop.command(['cache', 'ls', '--cache-file', file]);
	expect([status, printed]).toEqual([0, expect.stringContaining('3 products, ')]);
});
