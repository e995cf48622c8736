import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox } from 'product-reviews-sandbox';
import { checkHtml, type HtmlProblem } from 'product-reviews-test-support/check-html';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Build, buildPlayground } from '../support/build-playground.ts';
import { type BuiltPage, pageAt, readPages } from '../support/read-pages.ts';

const DISPLAYS = fileURLToPath(new URL('./fixtures/displays', import.meta.url));

/** One product has a URL that browsers accept but html does not allow. */
const productUrl = (pid: string) =>
	`https://shop.example/products/${pid}/${pid === 'p-1' ? '?filter[color]=red|blue&off=5%#a#b' : ''}`;

const ACCEPTED_WARNINGS = [
	// Still needed: Safari removes the role from lists without bullets.
	/^The “list” role is unnecessary for element “[ou]l”/,
	// Reviews may have no title.
	/^Article lacks heading/,
];

/** Mistakes that a page can have, and the checker's messages. */
const MISTAKES: [mistake: string, from: string | RegExp, to: string, message: string][] = [
	['an element that is not closed', '</article>', '', 'Unclosed element “article”'],
	['an id that is there twice', '<h1', '<h1 id="reviews"', 'Duplicate ID “reviews”'],
	['a picture without a text', / alt="[^"]+"/, '', 'An “img” element must have an “alt” attribute'],
	['an item outside of its list', /(?<=role="list">)<li>/, '<div>', 'Element “div” not allowed as child of'],
	['a date that does not exist', /(?<= datetime=")[^"]+/, '2026-02-31', 'Bad value “2026-02-31”'],
	['a quote that ends an attribute', 'data-fill="', 'data-fill="4"', 'Quote “"” in attribute name'],
];

const builds: Build[] = [];
let shop: BuiltPage[];
let displays: BuiltPage[];
let mistakes: BuiltPage[];
let problems: HtmlProblem[];

beforeAll(async () => {
	const sandbox = await startSandbox({ port: 0, productUrl });
	try {
		for (const root of [undefined, DISPLAYS]) builds.push(await buildPlayground(sandbox, root));
	} finally {
		await sandbox.close();
	}
	[shop = [], displays = []] = await Promise.all(builds.map(readPages));
	mistakes = await writeMistakes(pageAt(shop, 'products/enamel-kettle/index.html'));
	// Starting the checker takes longer than checking a page, so all are checked at once.
	problems = await checkHtml([...shop, ...displays, ...mistakes].map(({ file }) => file));
});

afterAll(async () => {
	for (const build of builds) await build.remove();
});

/** Creates copies of a page, each with one mistake. */
async function writeMistakes({ file, html }: BuiltPage): Promise<BuiltPage[]> {
	const folder = join(file, '..', 'mistakes');
	await mkdir(folder);
	const pages = MISTAKES.map(([mistake, from, to]) => {
		expect(html, mistake).toMatch(from);
		return { path: mistake, file: join(folder, `${mistake}.html`), html: html.replace(from, to) };
	});
	await Promise.all(pages.map((page) => writeFile(page.file, page.html)));
	return pages;
}

/** The checker's findings for these pages: each message once, with its first occurrence. */
function problemsOf(pages: readonly BuiltPage[]): string[] {
	const paths = new Map(pages.map(({ file, path }) => [file, path]));
	const found = new Map<string, string>();
	for (const { file, severity, message, extract } of problems) {
		if (!paths.has(file) || found.has(message) || (severity === 'warning' && isAccepted(message))) continue;
		found.set(message, `${severity}: ${message} (${paths.get(file)}: ${extract})`);
	}
	return [...found.values()];
}

const isAccepted = (warning: string) => ACCEPTED_WARNINGS.some((accepted) => accepted.test(warning));

describe('the Nu HTML checker', needs('java'), () => {
	test('finds nothing wrong in any page of the shop', () => {
		expect(shop).toHaveLength(129);
		expect(problemsOf(shop)).toEqual([]);
	});

	test.each(['hidden', 'visible', 'details'])('finds nothing wrong in reviews with display %s', (display) => {
		const pages = displays.filter(({ path }) => path.startsWith(`${display}/`));
		const withReviews = pages.filter(({ html }) => html.includes(` data-display="${display}"`));
		expect({ pages: pages.length, withReviews: withReviews.length }).toEqual({ pages: 60, withReviews: 54 });
		expect(problemsOf(pages)).toEqual([]);
	});

	test.each(MISTAKES)('reports %s', (mistake, _from, _to, message) => {
		const found = problemsOf([pageAt(mistakes, mistake)]);
		expect(found).toContainEqual(expect.stringContaining(`error: ${message}`));
	});
});
