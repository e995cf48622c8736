import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSandbox } from 'product-reviews-sandbox';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const STARTER = join(EXAMPLES, 'starter');
const { folder, remove } = createLastingFolder('starter');
const run = (...command: string[]) => runCommand(command);

/**
 * Runs a command, in the folder of the starter unless told otherwise, without what this process was started with.
 * @returns what it printed
 * @throws Error with what it printed, if it fails
 */
async function runCommand(
	[file = '', ...args]: readonly string[],
	environment: Readonly<Record<string, string>> = {},
	cwd = folder,
): Promise<string> {
	// `npm test` has settings of its own for npm: they are not those of a terminal.
	const own = Object.entries(cleanEnvironment()).filter(
		([name]) => !/^(?:npm_(?!config_)|INIT_CWD$)/.test(name),
	);
	const env = { ...Object.fromEntries(own), ...environment };
	try {
		const { stdout, stderr } = await promisify(execFile)(file, args, {
			cwd,
			env,
			maxBuffer: 64 * 1024 * 1024,
		});
		return stdout + stderr;
	} catch (cause) {
		const { stdout = '', stderr = '', message } = cause as Error & { stdout?: string; stderr?: string };
		throw new Error(`"${[file, ...args].join(' ')}" failed:\n${stdout}${stderr || message}`, { cause });
	}
}

/** Copies an example into a folder and installs it, with the packed packages in place of the published ones. */
async function install(example: string, into: string): Promise<void> {
	cpSync(join(EXAMPLES, example), into, { recursive: true });
	const manifest = JSON.parse(readFileSync(join(into, 'package.json'), 'utf8'));
	const tarballs = inject('tarballs');
	const fromTarballs = (dependencies: Readonly<Record<string, string>> = {}) =>
		Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, tarballs[name] ?? range]));
	const { dependencies, devDependencies } = manifest;
	writeFileSync(
		join(into, 'package.json'),
		JSON.stringify({
			...manifest,
			dependencies: fromTarballs(dependencies),
			devDependencies: fromTarballs(devDependencies),
			overrides: tarballs,
		}),
	);
	const npm = ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
	await runCommand(npm, {}, into);
}

beforeAll(() => install('starter', folder));

afterAll(remove);

test('npm run build makes a store with reviews, from its own service', async () => {
	const log = await run('npm', 'run', 'build');
	expect(log).toContain('3 products in');
	const page = readFileSync(join(folder, 'dist/products/p-1/index.html'), 'utf8');
	expect(page).toContain('class="pr-review-section"');
	expect(page).toContain('"@type":"Product"');
	expect(readFileSync(join(folder, 'dist/index.html'), 'utf8').match(/class="pr-star-rating"/g)).toHaveLength(
		3,
	);
});

test('npm run dev shows a review as soon as it is written', async () => {
	const server = runNode(['with-sandbox.mjs', 'dev'], { cwd: folder, env: cleanEnvironment() });
	try {
		const [, service = ''] = await server.says(/Write a review at (\S+),/);
		const [, port = ''] = await server.says(/http:\/\/localhost:(\d+)/);
		const page = async () => (await fetch(`http://localhost:${port}/products/p-2/`)).text();
		expect(await page()).toContain('class="pr-review-section"');
		await fetch(`${service}/__sandbox/products/p-2/reviews`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ rating: 5, title: 'Written just now', author: 'Ada', body: 'New.' }),
		});
		await expect.poll(page, { interval: 500 }).toContain('Written just now');
	} finally {
		await server.end('SIGKILL');
	}
});

test('a review is published into the pages of a build, its report becomes a page, and doctor finds nothing wrong', async () => {
	const service = await startSandbox();
	const environment = {
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
		REVIEWS_TOKEN: service.token,
		REVIEWS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
	};
	const run = (...command: string[]) => runCommand(['npx', ...command], environment);
	try {
		await run('astro', 'build');
		service.store.createReview('p-3', { rating: 5, title: 'Published at once', author: 'Ada', body: 'New.' });
		expect(await run('astro-product-reviews', 'update', 'p-3')).toContain('  products/p-3/index.html\n');
		expect(readFileSync(join(folder, 'dist/products/p-3/index.html'), 'utf8')).toContain('Published at once');
		const [, page = ''] =
			/Wrote "([^"]+)"/.exec(await run('astro-product-reviews', 'report', '--html')) ?? [];
		expect(readFileSync(join(folder, page), 'utf8')).toContain('<h1>Product reviews of a build</h1>');
		const diagnosis = await run('astro-product-reviews', 'doctor', '--product', 'p-3');
		expect(diagnosis).toContain(`✓ Reachable     ${service.url} answers`);
		expect(diagnosis).not.toContain('✗');
	} finally {
		await service.close();
	}
});

test('its versions are those of the packages', () => {
	const { dependencies, devDependencies } = JSON.parse(readFileSync(join(STARTER, 'package.json'), 'utf8'));
	for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
		if (name === 'astro') continue;
		const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
		expect(range).toBe(`^${version}`);
	}
});

test('the example of providers is installed and built, too', async () => {
	const { folder: other, remove } = createLastingFolder('providers');
	onTestFinished(remove);
	await install('providers', other);
	await runCommand(['npm', 'run', 'build'], {}, other);
	expect(readFileSync(join(other, 'dist/p-1/index.html'), 'utf8')).toContain(
		'Two minutes for a full kettle.',
	);
});

test('the stores of the catalog are built by the command of their README', async () => {
	const service = await startSandbox();
	onTestFinished(() => service.close());
	// Below the starter, whose packages are the same.
	cpSync(join(EXAMPLES, 'catalog'), join(folder, 'catalog'), { recursive: true });
	const environment = { REVIEWS_BASE_URL: service.url, REVIEWS_WSID: service.wsid };
	for (const store of ['collection', 'collection-file', 'json-file', 'typescript']) {
		await runCommand(['npx', 'astro', 'build', '--root', `catalog/${store}`], environment);
		expect(readdirSync(join(folder, 'catalog', store, 'dist/products'))).toContain('enamel-kettle');
	}
});
