import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { send } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test } from 'vitest';
import { CACHE_FILE } from '../../src/constants.js';
import { type BuildProject, expectSame, UPDATE_LINE } from '../support/build/project.js';
import { startReceiver } from '../support/build/receiver.js';
import { productIds, publish, removeReviews, startShop, TOKEN } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const PIDS = productIds(4);
const CHANGED = 'the html of its components was changed after they wrote it';
const pageOf = (pid: string) => `products/${pid}/index.html`;

/** A store whose middleware adds an attribute to one element of ours, on the page of one product. */
async function startAltered(environment: Readonly<Record<string, string>> = {}) {
	const setup = { environment: { ...TOKEN, ...environment }, atEnd: onTestFinished };
	const { project: site, service } = await startShop('incremental-store', PIDS, setup);
	const middleware = `export async function onRequest({ url }, next) {
		const response = await next();
		if (!url.pathname.startsWith('/products/p-1')) return response;
		const html = (await response.text()).replace(/<h2(?= )/, '<h2 data-own="kept"');
		return new Response(html, response);
	}`;
	if (!environment['FIXTURE_MINIFY']) writeFileSync(join(site.root, 'src/middleware.ts'), middleware);
	await site.build();
	const news = (pid: string) => publish(service, pid, `News of ${pid}`);
	return { site, service, news };
}

const BEFORE: Record<string, (site: BuildProject, news: (pid: string) => void) => Promise<unknown>> = {
	'a dry run': (site) => site.update(['p-1', '--dry-run']),
	'a command of --then that failed': async (site, news) => {
		news('p-2');
		expect((await site.update(['p-2', '--then', 'false'])).status).not.toBe(0);
	},
	'a run that was killed': async (site, news) => {
		news('p-3');
		const { end } = site.startUpdate(['--all']);
		await expect.poll(() => site.read(pageOf('p-3')), { interval: 2 }).toContain('News of p-3');
		await end('SIGKILL');
	},
	'a run that was killed, and a build': async (site, news) => {
		news('p-4');
		const { end } = site.startUpdate(['--all']);
		await expect.poll(() => site.read(pageOf('p-4')), { interval: 2 }).toContain('News of p-4');
		await end('SIGKILL');
		await site.build();
		news('p-1');
	},
};

test.each<[string, Readonly<Record<string, string>>]>([
	['a middleware', {}],
	['a minifier', { FIXTURE_MINIFY: '1' }],
])('what %s wrote stays as it is and is said, whatever happened before', async (_, environment) => {
	const { site, news } = await startAltered(environment);
	news('p-1');
	for (const [what, happen] of Object.entries(BEFORE)) {
		if (environment['FIXTURE_MINIFY'] && what.includes('killed')) continue;
		await happen(site, news);
		const before = site.read(pageOf('p-1'));
		const { status, files, rebuild, errors } = await site.updateJson(['p-1']);
		expect(status, `${what}: ${errors}`).toBe(3);
		expect(files, what).not.toContain(pageOf('p-1'));
		expect(rebuild, what).toContainEqual({ page: '/products/p-1/', reason: CHANGED });
		expect(site.read(pageOf('p-1')), what).toBe(before);
	}
});

/** Runs a command as a user to whom the cache does not belong. */
const asOther = (line: string) => `setpriv --reuid=65534 --regid=65534 --clear-groups ${line}`;

type Damage = (file: string, site: BuildProject) => unknown;
const flip = (file: string, text: string) => {
	const bytes = readFileSync(file);
	for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 1] = 0x58;
	writeFileSync(file, bytes);
};
const DAMAGES: Record<string, Damage> = {
	'is gone': (file) => rmSync(file),
	'is empty': (file) => writeFileSync(file, ''),
	'is cut': (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
	'has flipped letters in its index of pages': (file) => flip(file, '["products/p-1'),
	'is that of another build': (file, { root }) => copyFileSync(join(root, 'other.db'), file),
};

test('with a cache that tells nothing of the pages, all are left, and --else runs', async () => {
	const { project: site, service } = await startShop('incremental-store', PIDS, {
		environment: TOKEN,
		atEnd: onTestFinished,
	});
	const file = join(site.root, '.cache/product-reviews', CACHE_FILE);
	await site.build();
	copyFileSync(file, join(site.root, 'other.db'));
	await site.build();
	copyFileSync(file, join(site.root, 'own.db'));
	publish(service, 'p-1', 'News of p-1');
	const before = site.contents();
	for (const [what, damage] of Object.entries(DAMAGES)) {
		copyFileSync(join(site.root, 'own.db'), file);
		damage(file, site);
		const without = await site.updateJson(['p-1']);
		expect({ what, status: without.status, files: without.files }, without.errors).toEqual({
			what,
			status: 3,
			files: [],
		});
		expect(without.rebuild, what).not.toEqual([]);
		const { status, errors } = await site.update(['p-1', '--else', 'touch else-ran']);
		expect([what, status, existsSync(join(site.root, 'else-ran'))], errors).toEqual([what, 0, true]);
		rmSync(join(site.root, 'else-ran'));
		expectSame(site.contents(), before);
	}
	copyFileSync(join(site.root, 'own.db'), file);
	flip(file, '"address":"/products/p-1');
	const { status, files, rebuild } = await site.updateJson(['p-1']);
	expect({ status, files }).toEqual({ status: 3, files: ['stars/index.html'] });
	expect(rebuild).toEqual([{ page: 'products/p-1', reason: 'what the cache had of it is damaged' }]);
	copyFileSync(join(site.root, 'own.db'), file);
	expect((await site.updateJson(['p-1'])).files).toContain(pageOf('p-1'));
});

test('a receiver does not count an update that could not look at pages as done', async () => {
	const { project: site, service } = await startShop('incremental-store', PIDS, {
		environment: TOKEN,
		atEnd: onTestFinished,
	});
	await site.build();
	rmSync(join(site.root, '.cache/product-reviews', CACHE_FILE));
	publish(service, 'p-1', 'News of p-1');
	const command = { line: UPDATE_LINE, environment: { ...cleanEnvironment(), ...TOKEN } };
	const receiver = await startReceiver(site, command, ['--immediate']);
	onTestFinished(receiver.close);
	expect(await send(receiver.url, signedEvent('p-1'))).toBe(202);
	await expect.poll(receiver.output).toMatch(/ended with (?:code )?3/);
});

test.skipIf(process.getuid?.() !== 0)(
	'a cache that cannot be read or written tells nothing either',
	async () => {
		const { project: site, service } = await startShop('incremental-store', PIDS, {
			environment: TOKEN,
			atEnd: onTestFinished,
		});
		await site.build();
		publish(service, 'p-1', 'News of p-1');
		const before = site.contents();
		const file = join(site.root, '.cache/product-reviews', CACHE_FILE);
		for (const mode of [0o600, 0o444]) {
			chmodSync(file, mode);
			const command = { line: asOther(UPDATE_LINE), environment: { ...cleanEnvironment(), ...TOKEN } };
			const receiver = await startReceiver(site, command, ['--immediate']);
			expect(await send(receiver.url, signedEvent('p-1'))).toBe(202);
			await expect.poll(receiver.output).toMatch(/ended with (?:code )?3/);
			await receiver.close();
			expectSame(site.contents(), before);
		}
	},
);

test.each([30, 86_400])(
	'an event is on its page after a build whose clock was %d s ahead',
	async (seconds) => {
		const { project: site, service } = await startShop('incremental-store', PIDS, {
			environment: TOKEN,
			atEnd: onTestFinished,
		});
		const clock = join(site.root, 'clock.mjs');
		writeFileSync(clock, `const { now } = Date; Date.now = () => now() + ${seconds * 1_000};\n`);
		const { ended, output } = site.start(['build'], { environment: { NODE_OPTIONS: `--import=${clock}` } });
		expect(await ended, output()).toBe(0);
		publish(service, 'p-1', 'News of p-1');
		const { status, files, errors } = await site.updateJson(['p-1']);
		expect({ status, files }, errors).toEqual({ status: 0, files: [pageOf('p-1'), 'stars/index.html'] });
		expect(site.read(pageOf('p-1'))).toContain('News of p-1');
	},
);

test('an update that failed says nothing of products that have lost all their reviews', async () => {
	const pids = productIds(30);
	const { project: site, service } = await startShop('incremental-store', pids, {
		environment: TOKEN,
		atEnd: onTestFinished,
	});
	await site.build();
	service.faults.add({ kind: 'status', status: 500 });
	expect((await site.update(['--all'])).status).toBe(1);
	service.faults.clear();
	for (const pid of pids) removeReviews(service, pid);
	await site.build();
	expect(site.read(pageOf('p-1'))).toContain('Mark 0 of this product.');
});

test('two pages of one name, and html that a layout renders once for all pages, are updated like others', async () => {
	const { project: site, service } = await startShop('incremental-store', PIDS, {
		environment: TOKEN,
		atEnd: onTestFinished,
	});
	const pages = join(site.root, 'src/pages');
	mkdirSync(join(pages, 'odd'));
	writeFileSync(
		join(pages, 'odd/[...slug].astro'),
		`---
import { ProductReviews } from 'astro-product-reviews/components';
export const getStaticPaths = () =>
	['kettle', 'kettle.html', 'mix 50', 'mix%2050', 'a/1', 'a\\\\1'].map((slug) => ({ params: { slug } }));
---
<html><head><title>Odd</title></head><body><ProductReviews pid="p-1" /></body></html>
`,
	);
	writeFileSync(
		join(site.root, 'src/Once.astro'),
		'---\nglobalThis.once ??= await Astro.slots.render("default");\n---\n<Fragment set:html={globalThis.once} />\n',
	);
	mkdirSync(join(pages, 'once'));
	writeFileSync(
		join(pages, 'once/[slug].astro'),
		`---
import { ProductReviews, StarRating } from 'astro-product-reviews/components';
import Once from '../../Once.astro';
export const getStaticPaths = () => ['one', 'two'].map((slug) => ({ params: { slug } }));
---
<html><head><title>Once</title></head><body><StarRating pid="p-2" /><Once><ProductReviews pid="p-3" /></Once></body></html>
`,
	);
	// A process of its own: what the layout keeps stays for other builds of the same one.
	const { ended, output } = site.start(['build']);
	expect(await ended, output()).toBe(0);
	const odd = site.files().filter((name) => /^(?:odd|once)\/.*\.html$/.test(name));
	expect(odd).toHaveLength(8);
	for (const pid of ['p-1', 'p-2', 'p-3']) publish(service, pid, `News of ${pid}`);
	const { status, files, rebuild, errors } = await site.updateJson(PIDS);
	expect({ status, rebuild }, errors).toMatchObject({ status: 3, rebuild: [{ page: '/own-markup/' }] });
	expect(files).toEqual(expect.arrayContaining(odd));
	for (const name of odd) expect(site.read(name), name).toMatch(/News of p-[13]/);
});
