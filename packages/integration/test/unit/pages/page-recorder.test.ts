import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { watchPrerenderer } from '../../../src/astro/watch-prerenderer.js';
import { wrapIntegrations } from '../../../src/astro/wrap-integrations.js';
import type { PageToRender, RenderedPage } from '../../../src/build/build-pages.js';
import { createPageRecorder } from '../../../src/pages/create-page-recorder.js';
import type { ProductFacts } from '../../../src/render/facts.js';
import { NO_SOURCE_MARK } from '../../../src/runtime/no-source.js';

const stars = (pid: string): ProductFacts => ({ component: 'StarRating', pid, count: 1 });

function createSetup() {
	const pages: Record<string, string[]> = {};
	const recorder = createPageRecorder();
	const record = async (address: string, render: () => Promise<unknown>) => {
		const { page } = await recorder.record(address, render);
		pages[address] = page.facts.map(({ pid }) => pid);
	};
	return { pages, recorder, record };
}

test('pages that are rendered beside each other keep what is theirs', async () => {
	const { pages, recorder, record } = createSetup();
	const render = (page: string, wait: number) =>
		record(page, async () => {
			recorder.place(stars(`${page}-1`));
			await setTimeout(wait);
			recorder.place(stars(`${page}-2`));
		});
	await Promise.all([render('a', 20), render('b', 5), render('c', 10)]);
	expect(pages).toEqual({ a: ['a-1', 'a-2'], b: ['b-1', 'b-2'], c: ['c-1', 'c-2'] });
});

test('what is placed on no page, or on one that fails, is nowhere', async () => {
	const { pages, recorder, record } = createSetup();
	recorder.place(stars('x'));
	const failing = record('a', async () => {
		recorder.place(stars('y'));
		throw new Error('broken page');
	});
	await expect(failing).rejects.toThrow('broken page');
	expect(pages).toEqual({});
});

test('what is asked from outside belongs to the page of that address, or to all that are being rendered', async () => {
	const { pages, recorder, record } = createSetup();
	const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const rendered = ends.map(({ promise }, index) => record(`/${index}/`, async () => promise));
	recorder.runOn('/0/', () => recorder.place(stars('first')));
	recorder.runOn(undefined, () => recorder.place(stars('either')));
	recorder.runOn('/elsewhere/', () => recorder.place(stars('rewritten')));
	for (const { resolve } of ends) resolve();
	await Promise.all(rendered);
	recorder.runOn('/0/', () => recorder.place(stars('late')));
	expect(pages).toEqual({ '/0/': ['first', 'either', 'rewritten'], '/1/': ['either', 'rewritten'] });
});

describe('a watched prerenderer', () => {
	function createWatched(render: () => Promise<unknown>) {
		const pages: Record<string, string[]> = {};
		const missed: string[] = [];
		const recorder = createPageRecorder();
		const watch = {
			pages: {
				miss: recorder.miss,
				async render<Result>({ name, address }: PageToRender, render: () => Promise<RenderedPage<Result>>) {
					const { result, page } = await recorder.record(address, render);
					if (page.isMissing) missed.push(address);
					pages[`${name} at ${address}`] = page.facts.map(({ pid }) => pid);
					return result.result;
				},
			},
			keys: undefined,
			base: '/shop/',
		};
		return { pages, missed, recorder, watch, watched: watchPrerenderer(prerendererOf(render), watch) };
	}

	const prerendererOf = (render: () => Promise<unknown>) =>
		({ name: 'inner', getStaticPaths: async () => [], render }) as unknown as Parameters<
			typeof watchPrerenderer
		>[0];
	const options = { routeData: { component: 'p.astro' } } as Parameters<
		ReturnType<typeof watchPrerenderer>['render']
	>[1];
	test('what is rendered while the body is read is on the page', async () => {
		const body = () =>
			new ReadableStream({
				async pull(controller) {
					await setTimeout(1);
					recorder.place(stars('late'));
					controller.enqueue(new TextEncoder().encode('text'));
					controller.close();
				},
			});
		const metadata = { entries: [] };
		const { pages, recorder, watched } = createWatched(async () => ({
			response: new Response(body(), { status: 201, headers: { 'x-a': 'b' } }),
			metadata,
		}));
		const request = new Request('http://localhost/shop/m%C3%BCtze/?x=1');
		const rendered = await watched.render(request, options);
		expect(rendered).toMatchObject({ metadata });
		const { response } = rendered as { response: Response };
		expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', 'text']);
		expect(pages).toEqual({ 'p.astro mütze at /shop/mütze/': ['late'] });
	});

	test('a bare response, one without a body, and an address that cannot be decoded', async () => {
		const answers = [new Response('text'), new Response(null, { status: 204 })];
		const { pages, watched } = createWatched(async () => answers.shift());
		const first = (await watched.render(new Request('http://localhost/shop/%ff'), options)) as Response;
		expect(await first.text()).toBe('text');
		expect(
			((await watched.render(new Request('http://localhost/shop/b.html'), options)) as Response).status,
		).toBe(204);
		expect(Object.keys(pages)).toEqual(['p.astro %ff at /shop/%ff', 'p.astro b at /shop/b.html']);
	});

	test('pages that say that they reached no source are counted', async () => {
		const body = `<p>${NO_SOURCE_MARK}</p>`;
		const { missed, watched } = createWatched(
			async () => new Response(body, { headers: { 'content-length': String(body.length) } }),
		);
		const response = (await watched.render(new Request('http://localhost/shop/a/'), options)) as Response;
		expect(await response.text()).toContain(NO_SOURCE_MARK);
		expect(missed).toEqual(['/shop/a/']);
	});

	test('an instance of a class keeps its methods and what they use', async () => {
		class Prerenderer {
			name = 'class';
			#calls: string[] = [];
			async setup() {
				this.#calls.push('setup');
			}
			async getStaticPaths() {
				return [];
			}
			async render() {
				return new Response(this.#calls.join());
			}
			async teardown() {
				this.#calls.push('teardown');
			}
		}
		const { watch } = createWatched(async () => {});
		const watched = watchPrerenderer(new Prerenderer(), {
			...watch,
			keys: undefined,
			base: '/',
		});
		await watched.setup?.();
		await watched.teardown?.();
		const response = (await watched.render(new Request('http://localhost/a/'), options)) as Response;
		expect([watched.name, await response.text()]).toEqual(['class', 'setup,teardown']);
	});
});

const order: string[] = [];

describe('prerenderers of other integrations', () => {
	const start = (hook?: (options: { setPrerenderer: (given: unknown) => void }) => unknown) => ({
		name: 'adapter',
		hooks: hook ? { 'astro:build:start': hook } : {},
	});
	const run = (...integrations: object[]) => {
		const set: unknown[] = [];
		const wrapped = wrapIntegrations(integrations as never, 'own', {
			prerenderer: (prerenderer) => ({ wrapped: prerenderer }) as never,
			built: () => {},
		});
		for (const { hooks } of integrations as ReturnType<typeof start>[]) {
			const setPrerenderer = (given: unknown) =>
				set.push(typeof given === 'function' ? given('default') : given);
			hooks['astro:build:start']?.({ setPrerenderer });
		}
		return { set, wrapped };
	};

	test.each([
		['an object', 'theirs', 'theirs'],
		['a function of the default one', (given: unknown) => `around ${given}`, 'around default'],
	])('%s is wrapped', (_name, given, inner) => {
		const { set, wrapped } = run(
			start(),
			start(({ setPrerenderer }) => setPrerenderer(given)),
		);
		expect(set).toEqual([{ wrapped: inner }]);
		expect(wrapped.owner).toBe('adapter');
	});

	test('hooks that set none, and our own, are left as they are', () => {
		const { set, wrapped } = run(
			start(() => {}),
			{ ...start(({ setPrerenderer }) => setPrerenderer('ours')), name: 'own' },
		);
		expect(set).toEqual(['ours']);
		expect(wrapped.owner).toBeUndefined();
	});
});

test.each([
	[
		'with a hook',
		{ 'astro:build:done': async () => void order.push('compressed') },
		['ours', 'compressed', 'built'],
	],
	['without', {}, ['ours', 'built']],
])('the build is over after the last integration, one %s', async (_name, hooks, expected) => {
	order.length = 0;
	const integrations = [
		{ name: 'own', hooks: { 'astro:build:done': () => void order.push('ours') } },
		{ name: 'last', hooks },
	];
	wrapIntegrations(integrations as never, 'own', {
		prerenderer: (prerenderer) => prerenderer,
		built: () => void order.push('built'),
	});
	for (const { hooks } of integrations)
		await (hooks as { 'astro:build:done'?: () => unknown })['astro:build:done']?.();
	expect(order).toEqual(expected);
});

test('a page that could not ask is to be rendered again', async () => {
	const recorder = createPageRecorder();
	const pages = [
		await recorder.record('/a/', async () => recorder.miss()),
		await recorder.record('/b/', async () => {}),
	];
	expect(pages.map(({ page }) => page.isMissing)).toEqual([true, false]);
});
