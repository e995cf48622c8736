import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { createLastingFolder } from './folder.ts';
import { runNode } from './node-program.ts';
import { findProgram } from './programs.ts';

export type Browser = Awaited<ReturnType<typeof openBrowser>>;

export async function openBrowser() {
	const found = await findChromium();
	const { folder: profile, remove } = createLastingFolder('profile');
	try {
		const context = await chromium.launchPersistentContext(profile, { ...found, locale: 'en-GB' });
		return { context, close: () => context.close().then(remove) };
	} catch (error) {
		remove();
		throw error;
	}
}

/** Opens a page in a window of the given width in pixels, scrolls through it, and waits until everything has loaded. */
export async function openPage(context: BrowserContext, url: string, width: number) {
	const page = await context.newPage();
	const requests: string[] = [];
	/** Failed requests, console messages of level error or warning, and uncaught errors. */
	const problems: string[] = [];
	page.on('request', (request) => requests.push(request.url()));
	page.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`));
	page.on('pageerror', (error) => problems.push(error.message));
	page.on('console', (message) => {
		if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
	});
	await page.setViewportSize({ width, height: 900 });
	const response = await page.goto(url, { waitUntil: 'load' });
	// Lazy pictures, too.
	await page.evaluate(async () => {
		for (const image of document.images) image.loading = 'eager';
		await Promise.all([...document.images].map((image) => image.decode()));
	});
	return { page, status: response?.status(), requests, problems };
}

/**
 * Returns the findings of axe on a page: the rule, the element and the reason.
 * @param selectors of the elements to look at, the whole document by default.
 * @param rules to check, all by default.
 */
export async function findViolations(
	page: Page,
	selectors?: readonly string[],
	rules?: readonly string[],
): Promise<string[]> {
	// It stays when the page's content is set anew, and half a megabyte takes a while to be read.
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
	const include = selectors?.map((selector) => [selector]);
	const context = include ? JSON.stringify({ include }) : 'document';
	const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
	const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
		`axe.run(${context}, ${options}).then(({ violations }) => ({ violations }))`,
	);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`),
	);
}

/** Added to the arguments of Playwright. */
const ARGUMENTS = ['--disable-gpu', '--disable-quic'];

/** Finds the Chromium of this machine, or else the one that npm brings, for Linux on x64. */
async function findChromium() {
	const installed = findProgram('chromium');
	if (installed) return { executablePath: installed, args: ARGUMENTS, env: process.env };
	if (process.platform !== 'linux' || process.arch !== 'x64') {
		throw new Error('npm brings Chromium for Linux on x64 alone: put another `chromium` on the PATH.');
	}
	const folder = await unpacked();
	// Its own fonts, and the libraries that a machine without a desktop lacks.
	const own = { FONTCONFIG_PATH: join(folder, 'fonts'), LD_LIBRARY_PATH: join(folder, 'al2023/lib') };
	return { executablePath: join(folder, 'chromium'), args: ARGUMENTS, env: { ...process.env, ...own } };
}

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const UNPACK = fileURLToPath(new URL('./unpack-chromium.ts', import.meta.url));

/** The package's own file looks for its fonts in folders of its hosts alone, and without a font no text is painted. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<dir prefix="relative">fonts</dir>
	<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Unpacks it where that was not done before. Of processes that do so at the same time, the first one's folder stays. */
async function unpacked(): Promise<string> {
	const { version } = JSON.parse(readFileSync(join(MODULES, '@sparticuz/chromium/package.json'), 'utf8'));
	const target = join(MODULES, '.cache', `chromium-${version}`);
	if (existsSync(target)) return target;
	mkdirSync(join(MODULES, '.cache'), { recursive: true });
	const { folder, remove } = createLastingFolder('chromium', join(MODULES, '.cache'));
	const { ended, output } = runNode([UNPACK], { env: { ...process.env, TMPDIR: folder } });
	try {
		if ((await ended) !== 0) throw new Error(`Chromium could not be unpacked:\n${output()}`);
		writeFileSync(join(folder, 'fonts/fonts.conf'), FONTS);
		renameSync(folder, target);
	} catch (error) {
		remove();
		if (!existsSync(target)) throw error;
	}
	return target;
}
