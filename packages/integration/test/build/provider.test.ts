import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type AstroRun, createProject, expectSame, FIXTURES } from '../support/build/project.js';
import { IN_TEST, productIds, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(3);
const WARM = 'Fine.';

/** A store whose provider does what it is told. */
function createStore(fixture = 'store', { options, ...run }: AstroRun = {}, pids = PIDS) {
	const project = createProject(fixture, {
		pages: pids,
		...run,
		options: {
			provider: './provider.mjs',
			products: pids,
			retries: 0,
			maxAge: 0,
			timeout: 1_000,
			...options,
		},
	});
	onTestFinished(project.remove);
	copyFileSync(join(FIXTURES, 'providers/told.mjs'), join(project.root, 'provider.mjs'));
	const tell = (told: Readonly<Record<string, unknown>>) =>
		writeFileSync(join(project.root, 'told.json'), JSON.stringify(told));
	tell({});
	return {
		project,
		tell,
		/** The calls since they were last asked for. */
		calls() {
			const file = join(project.root, 'calls.log');
			const calls = readFileSync(file, 'utf8').trim().split('\n');
			rmSync(file);
			return calls.toSorted();
		},
		page: (index: number) => project.read(`products/n${index}/index.html`),
	};
}

test('a provider that wraps the client makes the same pages as the service, byte for byte', async () => {
	for (const [fixture, page] of [
		['every-display', 'products/n1/index.html'],
		['review-data-store', 'products/p-1/index.html'],
	]) {
		const { project } = await startShop(String(fixture), PIDS, IN_TEST);
		await project.build();
		const hosted = project.contents();
		expect(hosted.has(String(page))).toBe(true);
		const code = readFileSync(join(FIXTURES, 'providers/wrapped.mjs'), 'utf8');
		writeFileSync(join(project.root, 'wrapped.mjs'), code);
		await project.build({ options: { provider: './wrapped.mjs' } });
		expect(project.report().totals).toMatchObject({ fetched: 3, products: 3 });
		expectSame(project.contents(), hosted);
	}
});

test('a product that the provider fails for ends the build while nothing is stored; one with unreadable reviews is left out', async () => {
	const { project, tell, page } = createStore();
	const unreadable = 'is about another product, "not p-3"';
	tell({ 'p-2': 'throws', 'p-3': 'other' });
	const cold = await project.tryBuild();
	expect(cold.status, cold.output).toBe(1);
	for (const says of ['no such table', unreadable]) expect(cold.output).toContain(says);
	expect(cold.output).not.toContain('canary');
	expect(project.report().totals).toMatchObject({ fetched: 1, failed: 1, unreadable: 1 });
	tell({ 'p-3': 'other' });
	expect(await project.build()).toContain(unreadable);
	for (const index of [1, 2]) expect(page(index)).toContain(WARM);
	expect(page(3)).not.toContain('class="pr-review');
	// What is stored is shown.
	tell({ 'p-1': 'other', 'p-2': 'throws' });
	expect(await project.build()).toContain('cached reviews are shown');
	for (const index of [1, 2, 3]) expect(page(index)).toContain(WARM);
});

test('builds ask for ratings first where the provider has them, the commands update and refresh ask as they do', async () => {
	const environment = { TOLD_RATINGS: '1' };
	const { project, tell, calls, page } = createStore('store', {
		environment,
		options: { maxAge: '1h' },
	});
	await project.build();
	expect(calls()).toEqual(PIDS.map((pid) => `reviews ${pid}`));
	tell({ 'p-2 count': 2 });
	await project.build();
	expect(calls()).toEqual(['ratings p-1,p-2,p-3', 'reviews p-2']);
	tell({ 'p-1': 'New text.', 'p-3': 'Newer text.' });
	expect(await project.updateJson(['p-1'])).toMatchObject({ status: 0, rebuild: [], failed: [] });
	expect(calls()).toEqual(['reviews p-1']);
	expect(page(1)).toContain('New text.');
	const refreshed = await project.command(['refresh', 'p-3']);
	expect(refreshed.printed, refreshed.errors).toContain('1 fetched');
	expect(calls()).toEqual(['ratings p-3', 'reviews p-3']);
});

test('a product that shows everything is asked for once: in a build, an update and by refresh; a function for the rest of it is called, too', async () => {
	const { project, tell, calls, page } = createStore('every-display', { environment: TOKEN });
	tell({ 'p-3': 'none' });
	await project.build();
	expect(calls()).toEqual(PIDS.map((pid) => `reviews ${pid}`));
	expect(page(1).split(WARM).length).toBeGreaterThan(3);
	const before = page(1).split('New text.').length;
	tell({ 'p-1': 'New text.', 'p-3': 'none' });
	expect(await project.updateJson(['p-1'])).toMatchObject({ status: 0, rebuild: [], failed: [] });
	expect(calls()).toEqual(['reviews p-1']);
	expect([before, page(1).split(WARM).length]).toEqual([1, 1]);
	expect(page(1)).toContain('New text.');
	await project.command(['refresh', 'p-2', 'p-3']);
	expect(calls()).toEqual(['reviews p-2', 'reviews p-3']);
	await project.build({ environment: { ...TOKEN, TOLD_DATA: '1' } });
	expect(calls()).toEqual(['reviewData', 'reviews'].flatMap((name) => PIDS.map((pid) => `${name} ${pid}`)));
});

test('a module that is swapped for another shows none of the old reviews; by its name, it keeps them where it is moved', async () => {
	const { project, tell, calls, page } = createStore('store', { options: { maxAge: '1h' } });
	const all = PIDS.map((pid) => `reviews ${pid}`);
	const build = (provider: string) => project.build({ options: { provider } });
	const write = (name: string, text: string) => writeFileSync(join(project.root, name), text);
	await project.build();
	expect(calls()).toEqual(all);
	tell({ 'p-1': 'Of another.' });
	write('other.mjs', readFileSync(join(project.root, 'provider.mjs'), 'utf8'));
	await build('./other.mjs');
	expect([calls(), page(1).includes('Of another.')]).toEqual([all, true]);
	expect(await project.updateJson(['p-1'])).toMatchObject({ status: 0, rebuild: [] });
	expect(calls()).toEqual(['reviews p-1']);
	await build(pathToFileURL(join(project.root, 'provider.mjs')).href);
	expect(page(1)).toContain(WARM);
	expect(calls).toThrow('no such file');
	const named = "import provider from './provider.mjs';\nexport default { ...provider, name: 'shop' };\n";
	for (const name of ['named.mjs', 'moved.mjs']) write(name, named);
	await build('./named.mjs');
	expect([calls(), page(1).includes('Of another.')]).toEqual([all, true]);
	await build('./moved.mjs');
	expect(calls).toThrow('no such file');
});

test('a server bundles the module, and astro dev loads it; an object, which it cannot have, is an error that says so, and is left to builds by updates', async () => {
	const { project, tell, calls } = createStore('on-demand-store', {
		options: {
			onDemand: { timeout: '10s' },
			maxAge: '1h',
			storage: { driver: 'fs', config: { base: 'shared' } },
		},
	});
	const provider = pathToFileURL(join(project.root, 'provider.mjs')).href;
	await project.build({ options: { provider } });
	expect(calls()).toEqual(PIDS.map((pid) => `reviews ${pid}`));
	tell({ 'p-1': 'Of now.', 'p-live': 'Of now.' });
	const server = await project.serve();
	onTestFinished(server.stop);
	expect(await (await fetch(`${server.url}/live/p-live`)).text()).toContain('Of now.');
	// The build left it in the storage.
	expect(await (await fetch(`${server.url}/live/p-1`)).text()).toContain(WARM);
	expect(calls()).toEqual(['reviews p-live']);
	// As Vite does, a dev server reads other files than a build.
	writeFileSync(join(project.root, '.env.development'), 'TOLD=by the mode');
	tell({ 'p-live': 'env' });
	const dev = await project.dev();
	expect(await (await fetch(`${dev.url}/live/p-live`)).text()).toContain('Told by the mode.');
	await dev.stop();
	const asObject = (text: string) =>
		`import provider from './provider.mjs';\n${text.replace(/productReviews\((.*)\)\]/, 'productReviews({ ...$1, provider })]')}`;
	const site = createStore('every-display');
	site.project.change('astro.config.mjs', asObject);
	await site.project.build();
	expect(site.page(1)).toContain(WARM);
	expect(await site.project.updateJson(['p-1'])).toMatchObject({
		status: 3,
		rebuild: [{ page: null, reason: expect.stringContaining('the option "provider" is an object') }],
	});
	project.change('astro.config.mjs', asObject);
	const failed = await project.tryBuild();
	expect([failed.status, failed.output]).toEqual([
		1,
		expect.stringContaining('The option "provider" is an object'),
	]);
});
