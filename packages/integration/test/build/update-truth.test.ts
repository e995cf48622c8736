import {
	chmodSync,
	copyFileSync,
	existsSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { send } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { CACHE_FILE } from '../../src/constants.js';
import { type BuildProject, expectSame, UPDATE_LINE } from '../support/build/project.js';
import { startReceiver } from '../support/build/receiver.js';
import { IN_TEST, productIds, publish, startShop, TOKEN } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const PIDS = productIds(4);
const CHANGED = 'the html of its components was changed after they wrote it';
const pageOf = (pid: string) => `products/${pid}/index.html`;

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

test('what a middleware wrote stays as it is and is said, whatever happened before', async () => {
	const { project: site, service } = await startShop('incremental-store', PIDS, IN_TEST);
	// Adds an attribute to one element of ours, on the page of one product.
	const middleware = `export async function onRequest({ url }, next) {
		const response = await next();
		if (!url.pathname.startsWith('/products/p-1')) return response;
		const html = (await response.text()).replace(/<h2(?= )/, '<h2 data-own="kept"');
		return new Response(html, response);
	}`;
	writeFileSync(join(site.root, 'src/middleware.ts'), middleware);
	await site.build();
	const news = (pid: string) => publish(service, pid, `News of ${pid}`);
	news('p-1');
	for (const [what, happen] of Object.entries(BEFORE)) {
		await happen(site, news);
		const before = site.read(pageOf('p-1'));
		const { status, files, rebuild, errors } = await site.updateHere(['p-1']);
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
	const { project: site, service } = await startShop('incremental-store', PIDS, IN_TEST);
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
		const without = await site.updateHere(['p-1']);
		expect({ what, status: without.status, files: without.files }, without.errors).toEqual({
			what,
			status: 3,
			files: [],
		});
		expect(without.rebuild, what).not.toEqual([]);
		const { status, errors } = await site.updateHere(['p-1', '--else', 'touch else-ran']);
		expect([what, status, existsSync(join(site.root, 'else-ran'))], errors).toEqual([what, 0, true]);
		rmSync(join(site.root, 'else-ran'));
		expectSame(site.contents(), before);
	}
	copyFileSync(join(site.root, 'own.db'), file);
	flip(file, '"address":"/products/p-1');
	const { status, files, rebuild } = await site.updateHere(['p-1']);
	expect({ status, files }).toEqual({ status: 3, files: ['stars/index.html'] });
	expect(rebuild).toEqual([{ page: 'products/p-1', reason: 'what the cache had of it is damaged' }]);
	copyFileSync(join(site.root, 'own.db'), file);
	expect((await site.updateHere(['p-1'])).files).toContain(pageOf('p-1'));
});

test.skipIf(process.getuid?.() !== 0)('a cache that cannot be read or written tells nothing', async () => {
	const { project: site, service } = await startShop('incremental-store', PIDS, IN_TEST);
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
});
