import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { type Browser, openBrowser } from 'product-reviews-test-support/browser';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

const WORKSPACE = fileURLToPath(new URL('../../..', import.meta.url));
const SCRIPT = join(WORKSPACE, 'scripts/demo.mjs');

let browser: Browser;

beforeAll(async () => {
	browser = await openBrowser();
});

afterAll(() => browser?.close());

/** Runs the demo as a separate process. It builds the playground where it is, which no other test does. */
function runDemo() {
	// Of this demo alone, so that what it leaves behind can be told from what is another's.
	const folder = createFolder('demo');
	const { child, ended, output } = runNode([SCRIPT], { env: { ...cleanEnvironment(), TMPDIR: folder } });
	/** Presses Ctrl+C the given number of times. @returns its status, or the signal that ended it */
	const interrupt = (times = 1) => {
		for (let time = 0; time < times; time++) child.kill('SIGINT');
		return ended;
	};
	onTestFinished(async () => void (await interrupt()));
	return { output, interrupt, left: () => leftIn(folder) };
}

/** Folders and command lines of processes that a demo left behind. */
async function leftIn(folder: string): Promise<string[]> {
	const folders = (await readdir(folder)).filter((name) => name.startsWith('product-reviews-demo-'));
	return [...folders, ...(await processesWith(folder))];
}

/** Command lines that contain a text, according to Linux. */
async function processesWith(text: string): Promise<string[]> {
	const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	// A process may end in the meantime.
	const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
	return lines.filter((line) => line.includes(text));
}

type RunningDemo = ReturnType<typeof runDemo>;

const untilPrinted = (demo: RunningDemo, text: string | RegExp) => expect.poll(demo.output).toMatch(text);

const addressOf = (demo: RunningDemo, name: string) =>
	new RegExp(`^${name} +(\\S+)/`, 'm').exec(demo.output())?.[1] ?? '';

/** Waits until a page shows a text. The page must be complete every time. */
async function lookUntil(url: string, text: string): Promise<void> {
	const look = async () => {
		const response = await fetch(url);
		const page = await response.text();
		expect([response.status, page.trimEnd().slice(-7)]).toEqual([200, '</html>']);
		return page;
	};
	for (let looks = 0; looks < 1_000; looks++) {
		if ((await look()).includes(text)) return;
		await setTimeout(50);
	}
	expect.fail(`${url} does not show "${text}".`);
}

test('a review published with the printed command or the form is in the shop without a build, and the page says where', async () => {
	const demo = runDemo();
	await untilPrinted(demo, 'Press Ctrl+C to stop everything.');
	const shop = addressOf(demo, 'The shop');
	const service = addressOf(demo, 'Review service');

	const line = /curl -d '([^']+)' \\\n +(\S+)\n/.exec(demo.output());
	const headers = { 'content-type': 'application/x-www-form-urlencoded' };
	const sent = await fetch(line?.[2] ?? '', { method: 'POST', headers, body: line?.[1] ?? '' });
	expect(sent.ok).toBe(true);
	await lookUntil(`${shop}/products/enamel-kettle/`, 'Back again');

	const page = await browser.context.newPage();
	await page.goto(`${service}/?pid=p-2`);
	await page.getByLabel('Title').fill('Out of the form');
	await page.getByRole('button', { name: 'Publish' }).click();
	const notice = page.getByRole('status');
	await notice.getByText('Published a review of p-2').waitFor();
	await notice.getByText(/^\d+ files of the shop changed, \d+\.\d\d s after the click:$/).waitFor();
	await lookUntil(`${shop}/products/cast-iron-skillet/`, 'Out of the form');
	const note = await notice.textContent();
	await page.reload();
	expect(await notice.textContent()).toBe(note);
	await notice.getByRole('link', { name: 'products/cast-iron-skillet/index.html' }).click();
	await page.getByText('Out of the form').first().waitFor();

	await untilPrinted(demo, /^\d+ files of the shop changed in \d+\.\d\d s\n {2}products\/cast-iron-skillet/m);
	expect(demo.output()).toContain('Publish a review of the Enamel Kettle (p-1)');
	// The output of a build has this line.
	expect(demo.output().match(/\d+ products? in /g)).toEqual(['60 products in ']);
	expect(demo.output()).not.toMatch(/.{81}/);
	expect(demo.output()).not.toContain('whsec_');
	expect(await demo.interrupt()).toBe(0);
	expect(demo.output()).toMatch(/\n\nStopping \.\.\.\n$/);
	expect(await demo.left()).toEqual([]);
	for (const url of [shop, service]) await expect(fetch(url)).rejects.toThrow();
}, 240_000);

test('Ctrl+C stops it in the middle of a build, and nothing is left behind', async () => {
	const demo = runDemo();
	await untilPrinted(demo, 'Building the shop');
	await expect.poll(async () => (await demo.left()).join()).toMatch('astro.mjs');
	expect(await demo.interrupt(2)).toBe(0);
	expect(await demo.left()).toEqual([]);
	expect(demo.output()).toBe(
		'Building the shop: the first time, this can take a few minutes ...\n\nStopping ...\n',
	);
});

test('it ends when npm, which runs it, is ended', async () => {
	const folder = createFolder('demo');
	const env = { ...cleanEnvironment(), TMPDIR: folder };
	const npm = spawn('npm', ['run', 'demo'], { cwd: WORKSPACE, env, stdio: 'ignore' });
	onTestFinished(() => void npm.kill());
	await expect.poll(async () => (await leftIn(folder)).join()).toMatch('astro.mjs');
	npm.kill();
	await expect.poll(() => leftIn(folder)).toEqual([]);
});
