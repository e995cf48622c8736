import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
	closeSync,
	existsSync,
	globSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ASTRO = fileURLToPath(new URL('../node_modules/astro/bin/astro.mjs', import.meta.url));
const REPORT_USAGE = new URL('./report-usage.mjs', import.meta.url).href;

/**
 * Runs `astro build` on one of the sites, in a separate process.
 * @param root of the project with all sites.
 * @param folder for pages and caches.
 * @param nodeFlags must be the same for all sites that are compared.
 * @returns wall time, processor time and peak memory of the process, the size of the integration's cache, and the number of rendered pages.
 * @throws Error with the build's log if it fails.
 */
export async function buildSite({ root, site, folder, keepsPages, keepsCache }, settings) {
	const { products, environment, nodeFlags } = settings;
	const [dist, cache] = [join(folder, 'dist'), join(folder, 'cache')];
	if (!keepsPages) setAside(dist);
	if (!keepsCache) rmSync(cache, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const [log, usage] = [join(folder, 'build.log'), join(folder, 'usage.json')];
	const output = openSync(log, 'w');
	// What the build before has left to write would slow this one down. There is no such command on Windows.
	spawnSync('sync');
	const started = performance.now();
	const child = spawn(process.execPath, [...nodeFlags, '--import', REPORT_USAGE, ASTRO, 'build'], {
		cwd: root,
		stdio: ['ignore', output, output],
		env: {
			...process.env,
			NO_COLOR: '1',
			ASTRO_TELEMETRY_DISABLED: '1',
			BENCH_SITE: site,
			BENCH_DIST: dist,
			BENCH_CACHE: cache,
			BENCH_USAGE: usage,
			BENCH_PRODUCTS: String(products),
			...environment,
		},
	});
	const status = await new Promise((resolve) => child.once('close', resolve));
	const seconds = (performance.now() - started) / 1_000;
	closeSync(output);
	const text = readFileSync(log, 'utf8');
	if (status !== 0 || !existsSync(join(dist, `products/p-${products}/index.html`))) {
		throw new Error(`The build of the site "${site}" ended with ${status}:\n${text.slice(-4_000)}`);
	}
	const files = globSync(join(cache, 'product-reviews/*.db*'));
	const cacheMegabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1_000_000;
	return {
		seconds,
		...JSON.parse(readFileSync(usage, 'utf8')),
		cacheMegabytes,
		rendered: countRendered(text),
	};
}

/**
 * Moves the pages of an earlier build away. Otherwise Astro would empty their folder first, and creating files right after
 * that is slow: ext4 skips every inode that was deleted within the last seconds, which takes up to milliseconds per file. A
 * build would pay for the pages of the one before it.
 */
function setAside(dist) {
	if (existsSync(dist)) renameSync(dist, `${dist}-${randomUUID()}`);
}

/** Astro logs a line for each page, which states whether the page came from the cache. */
function countRendered(log) {
	const pages = log.split('\n').filter((line) => /[├└]─/.test(line) && line.includes('/index.html'));
	return pages.filter((line) => !/\((?:cached|restored)\)/.test(line)).length;
}
