import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, serialize } from 'parse5';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { serveSite } from '../support/browser/served-site.js';
import { type WatchedPage, watchPage } from '../support/browser/watched-page.js';
import { STRINGS, usually } from '../support/corpora.js';
import { findElements, isOurs } from '../support/page/elements.js';
import { type RawProduct, startRawService } from '../support/service/raw-service.js';

/** A spread over all strings; half of them stand around the reviews, too. */
const HOSTILE = usually(
	STRINGS.filter((text) => text.length < 2_000),
	24,
	300,
).map((text, index): RawProduct => {
	const isAround = index % 2 === 0;
	return { text, place: isAround ? 'everywhere' : 'reviews', jsonld: isAround ? 'raw' : 'escaped' };
});
/** Accents that a browser stacks on one letter: each is painted further away from its line. */
const STACK = '\u0301'.repeat(300) + '\u0323'.repeat(300);
const LETTERS = ['e', `e${STACK}`].map((letter): RawProduct => {
	return { text: Array(8).fill(letter).join(' '), place: 'reviews', jsonld: 'escaped' };
});
const PRODUCTS = new Map([...HOSTILE, ...LETTERS].map((product, index) => [`p-${index + 1}`, product]));
const PIDS = [...PRODUCTS.keys()];
const WORKERS = 4;

const service = await startRawService((pid) => PRODUCTS.get(pid));
const site = await serveSite('every-display', {
	service: service.url,
	options: { products: PIDS, onError: 'omit', retries: 0 },
	config: { security: { csp: true } },
	pages: PIDS,
});

afterAll(async () => {
	await site.close();
	await service.close();
});

async function lookAtAll() {
	const found: { path: string; result: Awaited<ReturnType<typeof lookAt>> }[] = [];
	const paths = PIDS.map((_, index) => `/products/n${index + 1}/`);
	const work = async () => {
		const watched = await watchPage(site.context, site.url);
		for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
			found.push({ path, result: await lookAt(watched, path) });
		}
		await watched.page.close();
	};
	await Promise.all(Array.from({ length: WORKERS }, work));
	return found;
}

async function lookAt({ page, visit, incidents }: WatchedPage, path: string) {
	await visit(path);
	const { markup, ...others } = await page.evaluate(useEverything);
	if (path.endsWith('0/')) await useMouse(page);
	const built = readFileSync(join(site.folder, path, 'index.html'), 'utf8');
	const { elements } = findElements(built);
	return {
		...others,
		/** Whether the browser finds what a parser does, by which other tests look at pages. */
		isAsParsed: serialize(parse(markup)) === serialize(parse(built)),
		/** Names of elements that are not of our components. */
		others: elements.filter((element) => !isOurs(element)).map(({ tag }) => tag),
		incidents: await incidents(),
	};
}

/**
 * Runs in a page: points at, clicks and focuses everything in it, as a visitor could at the most.
 * @returns the page as it was before, how many elements were used, the protocols of links that a visitor must not
 * follow, the size of each hidden block, and how many pixels the page is wider than its window.
 */
function useEverything() {
	// Only what happens before the browser follows a link is of interest; leaving would end the test.
	addEventListener('click', (event) => {
		if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
	});
	const markup = `<!DOCTYPE html>${document.documentElement.outerHTML}`;
	const blocks = [...document.querySelectorAll('[data-display="hidden"]')].map((block) => {
		const { width, height } = block.getBoundingClientRect();
		return { width, height, clip: getComputedStyle(block).clipPath };
	});
	const elements = [...document.querySelectorAll<HTMLElement>('body *')];
	for (const element of elements) {
		for (const type of 'pointerover mouseover mouseenter mousemove mousedown mouseup click'.split(' ')) {
			element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
		}
		element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
		element.focus();
	}
	return {
		markup,
		used: elements.length,
		protocols: [...document.links].map(({ protocol }) => protocol).filter((name) => !/^https?:$/.test(name)),
		blocks,
		width: document.documentElement.scrollWidth - document.documentElement.clientWidth,
	};
}

/** The browser itself makes these events: the page cannot tell them from a visitor's. */
async function useMouse(page: Page): Promise<void> {
	for (const target of await page.locator('.pr-star-rating, .pr-product-reviews .pr-review').all()) {
		if (await target.isVisible()) await target.hover();
	}
	for (const summary of await page.locator('summary').all()) await summary.click();
}

test('no script runs, nothing is asked of elsewhere, no policy is violated, whatever a visitor does', async () => {
	const found = await lookAtAll();

	for (const { path, result } of found) {
		const { used: _used, blocks, others, ...facts } = result;
		expect(facts, path).toEqual({ isAsParsed: true, incidents: [], protocols: [], width: 0 });
		expect(others.join(' '), path).toMatch(/^title link (?:script )?meta link main h1 footer$/);
		expect(blocks, path).toEqual(blocks.map(() => ({ width: 1, height: 1, clip: 'inset(50%)' })));
	}
	expect(found.filter(({ result }) => result.blocks.length === 1).length).toBeGreaterThan(PIDS.length * 0.8);
	expect(found.reduce((sum, { result }) => sum + result.used, 0)).toBeGreaterThan(PIDS.length * 30);
}, 300_000);

test('what is looked for is found on pages into which a string goes as it came', async () => {
	const built = readFileSync(join(site.folder, 'products/n1/index.html'), 'utf8');
	const elsewhere = site.url.replace('127.0.0.1', 'localhost');
	const hostile = `<img src="${elsewhere}/x.png"><b onmouseover="alert(1)">a</b><script>alert(2)</script><a href="javascript:alert(3)">b</a>`;
	const spoiled = built.replace('<footer>', () => `${hostile}<footer>`);
	const lookAtSpoiled = async (name: string, page: string) => {
		mkdirSync(join(site.folder, name));
		writeFileSync(join(site.folder, name, 'index.html'), page);
		const watched = await watchPage(site.context, site.url);
		const result = await lookAt(watched, `/${name}/`);
		await watched.page.close();
		return result;
	};

	const guarded = await lookAtSpoiled('guarded', spoiled);
	expect(guarded.others.slice(-5)).toEqual(['img', 'b', 'script', 'a', 'footer']);
	expect(guarded.protocols).toEqual(['javascript:']);
	for (const sign of ['script-src-elem inline', 'script-src-attr inline']) {
		expect(guarded.incidents).toContain(`violation: ${sign}`);
	}
	expect(guarded.incidents).toContain(`request: ${elsewhere}/x.png`);

	const { incidents } = await lookAtSpoiled('unguarded', spoiled.replace(/<meta [^>]*>/, ''));
	for (const sign of ['dialog: 1', 'dialog: 2', `script: ${site.url}/unguarded/`]) {
		expect(incidents).toContain(sign);
	}
});

test('accents stacked without end are not painted over what is above the review', async () => {
	const page = await site.context.newPage();
	await page.setViewportSize({ width: 1280, height: 900 });
	/** A picture of everything above the first review that a stranger wrote. */
	const pictureAbove = async (number: number) => {
		await page.goto(`${site.url}/products/n${number}/`);
		const { y: height } =
			(await page.locator('.pr-product-reviews .pr-review').nth(1).boundingBox()) ?? expect.fail();
		expect(height).toBeGreaterThan(200);
		return page.screenshot({ clip: { x: 0, y: 0, width: 1280, height } });
	};
	const plain = await pictureAbove(HOSTILE.length + 1);
	expect((await pictureAbove(HOSTILE.length + 2)).equals(plain)).toBe(true);
});
