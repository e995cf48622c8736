import { inspect } from 'node:util';
import type { HookParameters } from 'astro';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { vitePluginStorageDriver, vitePluginVirtualModules } from '../../../src/astro/vite-plugins.js';
import productReviews, { type ProductReviewsUserOptions } from '../../../src/index.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { RuntimeSettings } from '../../../src/pages/page-source.js';
import { setUp } from '../../support/unit/set-up.js';

const TOKEN = 'canary-7f3a';
const WSID = 'W-canary-wsid';
const ADDRESS = 'https://reviews.example';
const MODULES = [
	'virtual:product-reviews',
	'astro-product-reviews/internal',
	'virtual:product-reviews/webhook',
];

interface CalledPlugin {
	config?(config: object, environment: { mode: string; command: string }): void;
	resolveId?: { filter: { id: RegExp }; handler(this: object, id: string): string };
	load?: { filter: { id: RegExp }; handler(this: object, id: string): Promise<string> };
	renderChunk?(this: object, code: string): Promise<{ code: string } | null>;
}

async function loadFrom(plugins: readonly CalledPlugin[], name: string, command = 'build') {
	for (const plugin of plugins) plugin.config?.({}, { mode: 'production', command });
	const load = (id: string) => {
		const of = plugins.find(({ resolveId }) => resolveId?.filter.id.test(id));
		const resolved = String(of?.resolveId?.handler.call({}, id));
		expect(resolved).toMatch(of?.load?.filter.id ?? /never/);
		return of?.load?.handler.call({ environment: { name } }, resolved) ?? '';
	};
	return Promise.all(MODULES.map(load));
}

async function createSetup(name: 'ssr' | 'prerender', options: ProductReviewsUserOptions = {}) {
	const { folder, plugins } = setUp({ token: TOKEN, wsid: WSID, baseUrl: ADDRESS, ...options });
	const codes = await loadFrom(plugins as unknown as CalledPlugin[], name);
	for (const code of codes) expect(() => parseAst(code)).not.toThrow();
	return { folder, code: codes.join('\n') };
}

describe('the code that pages import', () => {
	test('holds no secret, and of a prerendered page neither the service nor the website', async () => {
		for (const name of ['ssr', 'prerender'] as const) {
			const { folder, code } = await createSetup(name, { products: ['p-canary'], webhook: {} });
			for (const secret of [TOKEN, folder, 'p-canary']) expect(code).not.toContain(secret);
			for (const known of [ADDRESS, WSID]) expect(code.includes(known)).toBe(name === 'ssr');
		}
	});

	test('holds the storage only in a server, and only with that option', async () => {
		const storage = { driver: 'redis', config: { host: 'canary-host' } };
		const server = await createSetup('ssr', { storage });
		expect(server.code).toContain('canary-host');
		expect(server.code).toContain("'virtual:product-reviews/storage-driver'");
		for (const { code } of [await createSetup('prerender', { storage }), await createSetup('ssr')])
			expect(code).not.toMatch(/storage/);
	});

	test('is JavaScript whatever labels contain', async () => {
		const heading = '`$\u007bx}`\u2028\u2029</script>"\'\\\n*/ $&';
		expect((await createSetup('prerender', { labels: { heading } })).code).toContain(JSON.stringify(heading));
	});

	const PLACEHOLDER = '__PRODUCT_REVIEWS_BUILD_ADDRESS__';
	const createPlugin = () =>
		vitePluginVirtualModules(
			parseOptions({}),
			{
				runtimeSettings: () => ({ markdown: '{page}.md' }) as RuntimeSettings,
				outDir: () => 'dist',
				setMode: () => {},
			},
			async () => 'http://127.0.0.1:1/#key',
		) as unknown as CalledPlugin;

	test.each([
		['build', 'ssr', '{ createLiveSource: () => createLiveSource('],
		['build', 'prerender', `{"build":"${PLACEHOLDER}"});`],
		['build', 'client', `{"build":"${PLACEHOLDER}"});`],
		['serve', 'ssr', '{"build":"http://127.0.0.1:1/#key"});'],
		// The key must not reach browsers.
		['serve', 'client', '{});'],
	])('in %s, the environment %s has a runtime of %s', async (command, name, expected) => {
		const [, internal] = await loadFrom([createPlugin()], name, command);
		// Only builds write files, and only beside pages that they render.
		const settings = command === 'build' && name !== 'ssr' ? '{"markdown":"{page}.md"}' : '{}';
		expect(internal).toContain(`createRuntime(${settings}, ${expected}`);
	});

	test.each([
		// After the module graph is known: the address differs from build to build.
		['prerender', `start("${PLACEHOLDER}")`, { code: 'start("http://127.0.0.1:1/#key")', map: null }],
		['prerender', 'start()', null],
		['ssr', `start("${PLACEHOLDER}")`, null],
	])('gets the address of the build in chunks of %s: %s', async (name, code, expected) => {
		expect(await createPlugin().renderChunk?.call({ environment: { name } }, code)).toEqual(expected);
	});
});

test('the driver of the storage is found from this package, or else from the project', async () => {
	const load = async (known: Record<string, string>) => {
		const plugin = vitePluginStorageDriver({ driver: 'shop-driver', config: {} }) as unknown as CalledPlugin;
		const resolve = async (_name: string, from?: string) => {
			const id = known[from === undefined ? 'project' : 'here'];
			return id === undefined ? null : { id };
		};
		return plugin.resolveId?.handler.call({ resolve }, '');
	};
	expect(await load({ here: '/a.js', project: '/b.js' })).toEqual({ id: '/a.js' });
	expect(await load({ project: '/b.js' })).toEqual({ id: '/b.js' });
	await expect(load({})).rejects.toThrow('The driver "shop-driver" of the option "storage" cannot be found.');
});

test('the integration shows neither its token nor its options, and a site has it once', () => {
	const integration = productReviews({ token: TOKEN });
	expect(inspect(integration, { depth: 10, showHidden: true })).not.toContain(TOKEN);
	expect(JSON.stringify(integration)).not.toContain(TOKEN);
	const done = { config: { integrations: [integration, { name: 'sitemap' }, integration] } };
	const configDone = integration.hooks['astro:config:done'];
	expect(() => configDone?.(done as unknown as HookParameters<'astro:config:done'>)).toThrow(
		'productReviews() is in the Astro configuration twice.',
	);
});

test.each([
	['always', true],
	['ignore', false],
])('with trailingSlash %j, it is said that senders need a slash: %j', (trailingSlash, isSaid) => {
	const config = { adapter: { name: 'a-server' }, trailingSlash };
	const { added } = setUp({ webhook: { deployHookEnv: 'HOOK' } }, config);
	expect(added).toContainEqual(expect.objectContaining({ pattern: '/api/reviews/webhook' }));
	const lines = added.filter((line) =>
		String(line).startsWith('Events are received at /api/reviews/webhook/ with'),
	);
	expect(lines).toHaveLength(isSaid ? 1 : 0);
});
