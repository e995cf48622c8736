import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { bringsPrerenderer } from '../../../src/placements/brings-prerenderer.js';
import { createPageRecorder } from '../../../src/placements/create-page-recorder.js';
import type { Placement } from '../../../src/placements/placement.js';
import { watchPrerenderer } from '../../../src/placements/watch-prerenderer.js';

const stars = (pid: string): Placement => ({ component: 'StarRating', pid, count: 1 });

function createSetup() {
	const pages: Record<string, string[]> = {};
	const recorder = createPageRecorder<string>((page, { placements }) => {
		pages[page] = placements.map(({ pid }) => pid);
	});
	return { pages, recorder };
}

test('pages that are rendered beside each other keep what is theirs', async () => {
	const { pages, recorder } = createSetup();
	const render = (page: string, wait: number) =>
		recorder.render(page, async () => {
			recorder.place(stars(`${page}-1`));
			await setTimeout(wait);
			recorder.place(stars(`${page}-2`));
		});
	await Promise.all([render('a', 20), render('b', 5), render('c', 10)]);
	expect(pages).toEqual({ a: ['a-1', 'a-2'], b: ['b-1', 'b-2'], c: ['c-1', 'c-2'] });
});

test('what is placed on no page, or on one that fails, is nowhere', async () => {
	const { pages, recorder } = createSetup();
	recorder.place(stars('x'));
	const failing = recorder.render('a', async () => {
		recorder.place(stars('y'));
		throw new Error('broken page');
	});
	await expect(failing).rejects.toThrow('broken page');
	expect(pages).toEqual({});
});

describe('a watched prerenderer', () => {
	function createWatched(render: () => Promise<unknown>) {
		const pages: Record<string, string[]> = {};
		const recorder = createPageRecorder(({ name, address }, { placements }) => {
			pages[`${name} at ${address}`] = placements.map(({ pid }) => pid);
		});
		return {
			pages,
			recorder,
			watched: watchPrerenderer(prerendererOf(render), recorder, '/shop/', undefined),
		};
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
});

test('an integration with a prerenderer of its own is known by its hook', () => {
	const adapter = {
		name: 'adapter',
		hooks: {
			'astro:build:start': ({ setPrerenderer }: { setPrerenderer: (p: object) => void }) =>
				setPrerenderer({}),
		},
	};
	const sitemap = { name: 'sitemap', hooks: { 'astro:build:done': () => {} } };
	expect(bringsPrerenderer([sitemap, adapter as never], 'own')).toBe('adapter');
	expect(bringsPrerenderer([sitemap, { ...adapter, name: 'own' } as never], 'own')).toBeUndefined();
});
