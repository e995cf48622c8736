import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { createFolder } from 'product-reviews-test-support/folder';
import { parseAst } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';
import { createProject } from '../../../src/astro/project.js';
import { virtualModules } from '../../../src/astro/virtual-modules.js';
import { vitePluginStorageDriver } from '../../../src/astro/vite-plugin-storage-driver.js';
import { vitePluginStoreFile } from '../../../src/astro/vite-plugin-store-file.js';
import { vitePluginVirtualModules } from '../../../src/astro/vite-plugin-virtual-modules.js';
import productReviews from '../../../src/index.js';
import { toLiveSettings } from '../../../src/on-demand/live-settings.js';
import { parseOptions } from '../../../src/options/parse-options.js';

const TOKEN = 'canary-7f3a';
const WSID = 'W-canary-wsid';

afterEach(() => vi.unstubAllEnvs());

function createSetup(options: Record<string, unknown> = {}) {
	const folder = createFolder();
	const root = pathToFileURL(`${folder}/`);
	const project = createProject(
		parseOptions({ token: TOKEN, wsid: WSID, baseUrl: 'https://reviews.example', ...options }),
	);
	project.configure({
		root,
		cacheDir: new URL('.cache/', root),
		vite: {},
		base: '/',
		experimental: {} as never,
	});
	return { folder, project };
}

test('they are JavaScript, and hold no secret, path or address', () => {
	const { folder, project } = createSetup({ cacheDir: './store', products: ['p-canary'] });
	const modules = virtualModules(project.runtimeSettings());
	for (const source of Object.values(modules)) {
		expect(() => parseAst(source)).not.toThrow();
		for (const secret of [TOKEN, WSID, 'reviews.example', folder, process.cwd(), 'store', 'p-canary']) {
			expect(source).not.toContain(secret);
		}
	}
	expect(inspect(project.runtimeSettings(), { depth: 10 })).not.toContain(TOKEN);
});

test('those of a server that renders on demand hold no token and no path', () => {
	const { folder, project } = createSetup({ cacheDir: './store', products: ['p-canary'] });
	const live = toLiveSettings(parseOptions({ token: TOKEN, wsid: WSID, baseUrl: 'https://reviews.example' }));
	const modules = virtualModules(project.runtimeSettings(), { live });
	for (const source of Object.values(modules)) {
		expect(() => parseAst(source)).not.toThrow();
		for (const secret of [TOKEN, folder, process.cwd(), 'store', 'p-canary']) {
			expect(source).not.toContain(secret);
		}
	}
	expect(modules['virtual:product-reviews/internal']).toContain('https://reviews.example');
});

test('only those of a server hold the configuration of its storage, and only with that option the code', () => {
	const { project } = createSetup();
	const connection = { wsid: WSID, baseUrl: 'https://reviews.example' };
	const storage = { driver: 'redis', config: { host: 'canary-host' } };
	const server = toLiveSettings(parseOptions({ ...connection, storage }));
	const source = (live?: ReturnType<typeof toLiveSettings>) =>
		virtualModules(project.runtimeSettings(), { live })['virtual:product-reviews/internal'] ?? '';
	expect(source(server)).toContain('canary-host');
	expect(source(server)).toContain("'virtual:product-reviews/storage-driver'");
	expect(() => parseAst(source(server))).not.toThrow();
	expect(source()).not.toContain('canary-host');
	for (const without of [source(), source(toLiveSettings(parseOptions(connection)))]) {
		expect(without).not.toMatch(/storage/);
	}
});

test('the driver of the storage is found from this package, or else from the project', async () => {
	const load = async (known: Record<string, string>) => {
		const { load } = vitePluginStorageDriver({ driver: 'shop-driver', config: {} });
		const { handler } = load as { handler: (this: object) => Promise<string> };
		const resolve = async (name: string, from = 'project') => {
			const id = known[`${name} from ${from === 'project' ? from : 'here'}`];
			return id === undefined ? null : { id };
		};
		return handler.call({ resolve });
	};
	expect(await load({ 'shop-driver from here': '/a.js', 'shop-driver from project': '/b.js' })).toBe(
		'export { default } from "/a.js";',
	);
	expect(await load({ 'shop-driver from project': '/b.js' })).toBe('export { default } from "/b.js";');
	await expect(load({})).rejects.toThrow('The driver "shop-driver" of the option "storage" cannot be found.');
});

function createPlugin(address: string | undefined = 'http://127.0.0.1:1/#key') {
	const modes: string[] = [];
	const plugin = vitePluginVirtualModules({
		modules: (place, build) => ({
			'virtual:product-reviews': 'export {}',
			'virtual:product-reviews/internal': `${place} ${build}`,
		}),
		address: async () => address,
		onMode: (mode) => modes.push(mode),
	}) as unknown as {
		config(config: object, env: { mode: string; command: string }): void;
		resolveId: { filter: { id: RegExp }; handler(id: string): string };
		load: { filter: { id: RegExp }; handler(this: unknown, id: string): Promise<string> };
		renderChunk(this: unknown, code: string): Promise<{ code: string } | null>;
	};
	return { plugin, modes };
}

test.each([
	['build', 'ssr', 'server undefined'],
	['build', 'prerender', 'build __PRODUCT_REVIEWS_BUILD_ADDRESS__'],
	['build', 'client', 'build __PRODUCT_REVIEWS_BUILD_ADDRESS__'],
	['serve', 'ssr', 'dev http://127.0.0.1:1/#key'],
	['serve', 'client', 'dev undefined'],
])('in %s, the module of the environment %s is of %s', async (command, name, expected) => {
	const { plugin } = createPlugin();
	plugin.config({}, { mode: 'production', command });
	const load = plugin.load.handler.call({ environment: { name } }, '\0virtual:product-reviews/internal');
	expect(await load).toBe(expected);
});

test('the address of the build is put into the code of prerendered pages, after their module graph is known', async () => {
	const code = 'start("__PRODUCT_REVIEWS_BUILD_ADDRESS__")';
	const render = (name: string, text: string, address?: string | undefined) =>
		createPlugin(address).plugin.renderChunk.call({ environment: { name } }, text);
	expect(await render('prerender', code)).toEqual({ code: 'start("http://127.0.0.1:1/#key")', map: null });
	expect(await render('ssr', code)).toBeNull();
	expect(await render('prerender', 'start()')).toBeNull();
});

test('labels of any kind leave them JavaScript', () => {
	const hostile = '`$\u007bx}`\u2028\u2029</script>"\'\\\n*/ $&';
	const { project } = createSetup({ labels: { heading: hostile } });
	const source = virtualModules(project.runtimeSettings())['virtual:product-reviews/internal'] ?? '';
	expect(() => parseAst(source)).not.toThrow();
	expect(source).toContain(JSON.stringify(hostile));
});

test('they are the same from build to build', () => {
	const sources = () => virtualModules(createSetup().project.runtimeSettings());
	expect(sources()).toEqual(sources());
});

test('where the environment is not set up they are there all the same', () => {
	vi.stubEnv('REVIEWS_BASE_URL', '');
	vi.stubEnv('REVIEWS_WSID', '');
	const { project } = createSetup({ baseUrl: undefined, wsid: undefined });
	expect(project.runtimeSettings().account).toBe('');
	expect(() => project.connection()).toThrow('Not set');
});

test('the store lies in the cache, or where the option says', () => {
	const { folder, project } = createSetup();
	expect(project.storeFile()).toBe(`${folder}/.cache/product-reviews/reviews-v7.db`);
	const other = createSetup({ cacheDir: './store' });
	expect(other.project.storeFile()).toBe(`${other.folder}/store/reviews-v7.db`);
});

test('what receives events is told names of variables, and not what they hold', () => {
	vi.stubEnv('REVIEWS_WEBHOOK_SECRET', TOKEN);
	vi.stubEnv('HOOK', TOKEN);
	const { webhook } = parseOptions({ webhook: { deployHookEnv: 'HOOK' } });
	const sources = virtualModules(createSetup().project.runtimeSettings(), { webhook });
	expect(sources['virtual:product-reviews/webhook']).toBe(
		`export const settings = ${JSON.stringify(webhook)};\nexport const locateStore = undefined;\n`,
	);
	expect(sources['virtual:product-reviews/webhook']).toContain('"deployHookEnv":"HOOK"');
	expect(Object.values(sources).join('')).not.toContain(TOKEN);
});

test('a server that publishes finds the store from its own code, wherever the project is', () => {
	const { webhook } = parseOptions({ webhook: { publish: true } });
	const { project, folder } = createSetup({ cacheDir: "it's a %41 store" });
	const source =
		virtualModules(project.runtimeSettings(), { webhook })['virtual:product-reviews/webhook'] ?? '';
	const plugin = vitePluginStoreFile(project.storeFile) as unknown as {
		renderChunk(code: string, chunk: object, output: object): { code: string } | null;
	};
	const chunk = { fileName: 'chunks/endpoint.mjs' };
	const { code } = plugin.renderChunk(source, chunk, { dir: `${folder}/dist/server` }) ?? { code: '' };
	const [, address = ''] = code.match(/new URL\('([^']*)', import\.meta\.url\)/) ?? [];
	const found = new URL(address, pathToFileURL(`${folder}/dist/server/chunks/endpoint.mjs`));
	expect(fileURLToPath(found)).toBe(project.storeFile());
	expect(code).not.toContain(folder);
	expect(plugin.renderChunk('other code', chunk, { dir: folder })).toBeNull();
});

test('the plugin serves the modules and hears the mode', async () => {
	const { plugin, modes } = createPlugin();
	const { resolveId, load } = plugin;
	plugin.config({}, { mode: 'staging', command: 'build' });
	expect(modes).toEqual(['staging']);
	for (const id of [
		'virtual:product-reviews',
		'virtual:product-reviews/internal',
		'virtual:product-reviews/webhook',
	]) {
		expect(id).toMatch(resolveId.filter.id);
		expect(resolveId.handler(id)).toMatch(load.filter.id);
	}
	for (const id of [
		'virtual:product-reviews-x',
		'x/virtual:product-reviews',
		'virtual:product-reviews/other',
	]) {
		expect(id).not.toMatch(resolveId.filter.id);
	}
	const environment = { name: 'prerender' };
	expect(await load.handler.call({ environment }, '\0virtual:product-reviews')).toBe('export {}');
});

test('the integration shows neither its token nor its options', () => {
	const integration = productReviews({ token: TOKEN });
	expect(integration.name).toBe('astro-product-reviews');
	expect(inspect(integration, { depth: 10, showHidden: true })).not.toContain(TOKEN);
	expect(JSON.stringify(integration)).not.toContain(TOKEN);
});
