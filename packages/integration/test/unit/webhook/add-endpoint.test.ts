import type { AstroConfig, HookParameters } from 'astro';
import { expect, test } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import { addEndpoint } from '../../../src/webhook/add-endpoint.js';

const ADAPTER = { adapter: { name: 'an-adapter', hooks: {} } };

function setUp(
	command: HookParameters<'astro:config:setup'>['command'],
	config: Partial<AstroConfig>,
	options: Record<string, unknown> = {},
) {
	const { webhook } = parseOptions({ webhook: options });
	if (!webhook) throw new Error('There is no webhook.');
	const injected: unknown[] = [];
	const lines: string[] = [];
	addEndpoint(webhook, false, {
		command,
		config: config as AstroConfig,
		injectRoute: (route) => injected.push(route),
		logger: {
			info: (line) => lines.push(`info: ${line}`),
			warn: (line) => lines.push(`warn: ${line}`),
		},
	});
	return { injected, lines };
}

test('a build with an adapter gets the endpoint', () => {
	const { injected, lines } = setUp('build', ADAPTER, { path: '/hook', github: 'shop/storefront' });
	expect(injected).toEqual([
		{ pattern: '/hook', entrypoint: 'astro-product-reviews/webhook-endpoint', prerender: false },
	]);
	expect(lines).toEqual([]);
});

test('a build without an adapter gets none, and one line says what to do', () => {
	const { injected, lines } = setUp('build', {});
	expect(injected).toEqual([]);
	expect(lines).toEqual([
		'info: The site has no adapter, so events at /api/reviews/webhook are received in "astro dev" only. To rebuild it when reviews change, run "npx product-reviews-webhook" where it is built, or add an adapter.',
	]);
});

test('an endpoint that would change nothing is warned of', () => {
	const NOTHING = /^warn: Events at \/api\/reviews\/webhook will have no effect: /;
	const cache = { provider: { entrypoint: 'a-cache' } };
	expect(setUp('build', ADAPTER).lines).toEqual([expect.stringMatching(NOTHING)]);
	expect(setUp('build', { ...ADAPTER, cache }).lines).toEqual([]);
	expect(setUp('build', ADAPTER, { deployHookEnv: 'HOOK' }).lines).toEqual([]);
	expect(setUp('build', ADAPTER, { publish: true }).lines).toEqual([]);
});

test('a server without files cannot publish', () => {
	const adapter = { name: '@astrojs/vercel', hooks: {} };
	expect(() => setUp('build', { adapter }, { publish: true })).toThrow(
		'The option "webhook.publish" does not work with @astrojs/vercel',
	);
	expect(setUp('build', { adapter }, { deployHookEnv: 'HOOK' }).injected).toHaveLength(1);
});

test.each(['dev', 'preview', 'sync'] as const)('astro %s needs none', (command) => {
	expect(setUp(command, ADAPTER)).toEqual({ injected: [], lines: [] });
});
