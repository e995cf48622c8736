import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutContactDetails } from '../../src/parse/field-reader.js';
import { readPayload } from '../../src/parse/read-payload.js';
import type { ProductReviews } from '../../src/parse/record.js';
import { type AstroRun, createProject } from '../support/build/project.js';
import { STRINGS, usually } from '../support/corpora.js';
import { expectedData, expectedReviews, shownReviews, structuredData } from '../support/page/content.js';
import { findElements } from '../support/page/elements.js';
import { markupProblems } from '../support/page/markup.js';
import { elementsBelow, type PageElement, parsePage } from '../support/page/parse-page.js';
import { type RawProduct, rawAnswer } from '../support/service/raw-answer.js';
import { type RawService, startRawService } from '../support/service/raw-service.js';
import { wireData, wireReview } from '../support/service/wire-data.js';

/** Review data with a stranger's text in every field that holds text but the ids: as it is, or inside an address. */
function hostileData(text: string, value: unknown = wireData()): unknown {
	if (typeof value === 'string')
		return value.startsWith('https:')
			? `https://images.example/${encodeURIComponent(text.toWellFormed())}`
			: text;
	if (Array.isArray(value)) return value.map((item) => hostileData(text, item));
	if (typeof value !== 'object' || value === null) return value;
	const isId = (key: string) => key === '_id' || key === 'pid';
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, isId(key) ? inner : hostileData(text, inner)]),
	);
}

/** The usual answer: of two kinds of stars, so that there is a choice among them. */
const USUAL = wireData({ data: [wireReview(), wireReview({ _id: 'r-2', rtng: 2 })] });

/** A product a string, which is its id too: in turn what breaks most, and what leaves most to be read. */
const PRODUCTS = new Map<string, RawProduct>(
	usually(
		STRINGS.filter((text) => text.length < 300),
		120,
		600,
	).map((text, index) => [
		text,
		index % 2 === 0
			? { text, place: 'everywhere', jsonld: 'raw' }
			: { text, place: 'reviews', jsonld: 'escaped' },
	]),
);
const PIDS = [...PRODUCTS.keys()];
const DISPLAYS = ['hidden', 'visible', 'details'] as const;
const QUERY = /^\?wsid=W-1001&pid=([^&=]+)&ihtml=true&ijsonld=true$/;
/** Nothing in it that would be left out for being unprintable. */
const PLAIN = /^[ -~]+$/;

const pages = createProject('every-display');
const sections = createProject('whole-section');
let service: RawService;
let isBroken = false;

beforeAll(async () => {
	service = await startRawService(
		(pid) =>
			isBroken ? undefined : (PRODUCTS.get(pid) ?? { text: pid, place: 'reviews', jsonld: 'escaped' }),
		{
			answer: (pid) => withPid(pid === 'usual' ? USUAL : hostileData(pid), pid),
			item: (pid) => ({ pid, avgrtng: 4.5, prtng: 12, html: pid, isReqSyncWoo: pid, queCount: pid }),
		},
	);
});

afterAll(async () => {
	for (const project of [pages, sections]) project.remove();
	await service?.close();
});

const runOf = (pids: readonly string[], options = {}): AstroRun => ({
	service: service.url,
	options: { products: PIDS, onError: 'omit', retries: 0, ...options },
	pages: pids,
});
const withPid = (answer: unknown, pid: string) =>
	JSON.parse(JSON.stringify(answer).replaceAll('"p-1"', () => JSON.stringify(pid)));
const pathOf = (index: number) => `products/n${index + 1}/index.html`;

function recordOf(pid: string, product: RawProduct): ProductReviews | undefined {
	try {
		return readPayload(rawAnswer(pid, product));
	} catch (error) {
		expect((error as Error).name).toBe('ReviewPayloadError');
		return undefined;
	}
}

test('each product is asked for once by exactly its id; pages hold only our elements, and the text of every part is that of the record', async () => {
	const { status, output } = await pages.build(runOf(PIDS));
	expect(status, output).toBe(0);
	const asked = service.queries.map((query) => decodeURIComponent(QUERY.exec(query)?.[1] ?? ''));
	expect(asked.toSorted()).toEqual(PIDS.toSorted());
	let [readable, whole] = [0, 0];
	for (const [index, [pid, product]] of [...PRODUCTS].entries()) {
		const page = parsePage(pages.read(pathOf(index)));
		const record = recordOf(pid, product);
		const data = structuredData(page);
		expect(markupProblems(page), pid).toEqual([]);
		if (record) readable += 1;
		for (const display of DISPLAYS) {
			if (!record) expect(shownReviews(page, display), pid).toBeUndefined();
			else if (record.reviews.length > 0)
				expect(shownReviews(page, display), pid).toEqual(expectedReviews(record, display));
		}
		const address = `https://shop.example/products/n${index + 1}/`;
		if (!record) expect(data, pid).toEqual([]);
		else if (record.schema) expect(data, pid).toEqual([expectedData(record, address)]);
		else expect(data.length, pid).toBeLessThanOrEqual(1);
		// A name that is nothing but a phone number or an e-mail address is no author, and a review without one is left out.
		if (product.place !== 'reviews' || !PLAIN.test(pid) || withoutContactDetails(pid) === undefined) continue;
		const [stated] = data as { review: unknown[] }[];
		expect(stated?.review.at(-1)).toMatchObject({ reviewBody: pid.trim(), datePublished: '2026-11-21' });
		whole += 1;
	}
	expect(readable).toBeGreaterThan(PIDS.length * 0.9);
	expect(whole).toBeGreaterThan(PIDS.length / 3);
});

test('sections of review data hold nothing but what our templates write, whatever the service sends', async () => {
	const all = ['usual', ...PIDS];
	const { status, output } = await sections.build({ ...runOf(all), environment: { REVIEWS_TOKEN: 'token' } });
	expect(status, output).toBe(0);
	const sectionOf = (index: number) => parsePage(sections.read(pathOf(index)));
	/** Elements by what makes them live: their name, their attributes, and where their addresses lead. */
	const kindOf = ({ tag, attributes }: PageElement) =>
		[
			tag,
			...Object.entries(attributes)
				.map(([name, value]) =>
					name === 'href' || name === 'src' ? `${name}=${value.split(/[:/#]/)[0]}` : name,
				)
				.toSorted(),
		].join(' ');
	const kindsOf = (index: number) => new Set([...elementsBelow(sectionOf(index).html)].map(kindOf));
	const usual = kindsOf(0);
	expect(usual.size).toBeGreaterThan(30);
	let shown = 0;
	for (const [index, pid] of all.entries()) {
		const { html, comments } = sectionOf(index);
		const main = [...elementsBelow(html)].find(({ tag }) => tag === 'main');
		const ids = main?.children.map(({ attributes }) => attributes['id']);
		expect([comments, ids?.[0], ids?.at(-1)], pid).toEqual([0, 'before', 'after']);
		expect(
			[...kindsOf(index)].filter((kind) => !usual.has(kind)),
			pid,
		).toEqual([]);
		if (kindsOf(index).has('article class')) shown += 1;
	}
	expect(shown).toBeGreaterThan(PIDS.length * 0.7);
});

test('a page into which the same strings go as they came does not pass', () => {
	const page = pages.read(pathOf(1));
	const passed = usually(STRINGS, 250).filter((text) => {
		// Within an element, as on the page: some tags count only where a fragment starts.
		const { elements, comments } = findElements(`<div>${text}`);
		if (elements.length === 1 && comments === 0) return false;
		// A function, so that no `$` in the string has a meaning.
		const spoiled = page.replace('Boils fast.</div>', () => `${text}</div>`);
		return spoiled === page || markupProblems(parsePage(spoiled)).length === 0;
	});
	expect(passed).toEqual([]);
});

test('the log names broken products on one line, without control characters', async () => {
	isBroken = true;
	const { status, output } = await pages.build(runOf([], { cacheDir: 'empty' }));
	expect(status, output).toBe(0);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
	expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
	const lines = output.split('\n').filter((line) => line.includes('The service failed'));
	expect(lines).toEqual([
		expect.stringContaining(` failed for ${PIDS.length} products, and nothing is stored`),
	]);
	expect(lines[0]).toContain(`and ${PIDS.length - 100} more. First reason: `);
});
