import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutContactDetails } from '../../src/parse/contact-details.js';
import { readPayload } from '../../src/parse/read-payload.js';
import type { ProductReviews } from '../../src/parse/record.js';
import { type BuildProject, createProject } from '../support/build/project.js';
import { STRINGS, usually } from '../support/corpora.js';
import { expectedData, expectedReviews, shownReviews, structuredData } from '../support/page/content.js';
import { findElements } from '../support/page/elements.js';
import { markupProblems } from '../support/page/markup.js';
import { parsePage } from '../support/page/parse-page.js';
import { type RawProduct, rawAnswer } from '../support/service/raw-answer.js';
import { type RawService, startRawService } from '../support/service/raw-service.js';

/** A product a string: in turn what breaks most, and what leaves most to be read. Unit tests have each string in each place. */
const PRODUCTS = new Map<string, RawProduct>(
	usually(STRINGS, 600).map((text, index) =>
		index % 2 === 0
			? [`raw-${index}`, { text, place: 'everywhere', jsonld: 'raw' }]
			: [`whole-${index}`, { text, place: 'reviews', jsonld: 'escaped' }],
	),
);
const PIDS = [...PRODUCTS.keys()];

/** Nothing in it that would be left out for being unprintable. */
const PLAIN = /^[ -~]+$/;
const DISPLAYS = ['hidden', 'visible', 'details'] as const;

/** A product, and its page. */
interface Built {
	readonly pid: string;
	readonly text: string;
	/** `undefined` where the answer cannot be read. */
	readonly record: ProductReviews | undefined;
	/** What is on the page; the pages themselves would fill the memory. */
	readonly problems: readonly string[];
	readonly shown: Readonly<Record<(typeof DISPLAYS)[number], unknown>>;
	readonly data: readonly unknown[];
}

let project: BuildProject;
let service: RawService;
let status: number | null;
const built: Built[] = [];

beforeAll(async () => {
	project = createProject('every-display');
	service = await startRawService((pid) => PRODUCTS.get(pid));
	const options = { products: PIDS, onError: 'omit', retries: 0 };
	({ status } = await project.build({ service: service.url, options, pages: PIDS }));
	for (const [index, [pid, product]] of [...PRODUCTS].entries()) {
		const page = parsePage(pageOf(index));
		built.push({
			pid,
			text: product.text,
			record: recordOf(pid, product),
			problems: markupProblems(page),
			shown: {
				hidden: shownReviews(page, 'hidden'),
				visible: shownReviews(page, 'visible'),
				details: shownReviews(page, 'details'),
			},
			data: structuredData(page),
		});
	}
}, 300_000);

afterAll(async () => {
	project?.remove();
	await service?.close();
});

const pageOf = (index: number) => project.read(`products/n${index + 1}/index.html`);

function recordOf(pid: string, product: RawProduct): ProductReviews | undefined {
	try {
		return readPayload(rawAnswer(pid, product));
	} catch (error) {
		expect((error as Error).name).toBe('ReviewPayloadError');
		return undefined;
	}
}

test('the build ends well, whatever strangers typed', () => {
	expect(status).toBe(0);
	expect(service.queries).toHaveLength(PIDS.length);
	expect(built.filter(({ record }) => record === undefined).length).toBeLessThan(PIDS.length / 10);
});

test('pages hold only our elements and attributes, and everything outside of the reviews is in its place', () => {
	for (const { text, problems } of built) expect(problems, text).toEqual([]);
});

test.each(DISPLAYS)('%s: the text of every part is exactly the record’s', (display) => {
	for (const { text, record, shown } of built) {
		if (!record) expect(shown[display], text).toBeUndefined();
		else if (record.reviews.length > 0) {
			expect(shown[display], text).toEqual(expectedReviews(record, display));
		}
	}
});

test('structured data is one script whose text is JSON and exactly what the record states', () => {
	for (const [index, { text, record, data }] of built.entries()) {
		const address = `https://shop.example/products/n${index + 1}/`;
		if (!record) expect(data, text).toEqual([]);
		else if (record.schema) expect(data, text).toEqual([expectedData(record, address)]);
		else expect(data.length, text).toBeLessThanOrEqual(1);
	}
});

test('a text that arrives whole is in the structured data whole', () => {
	// A name that is nothing but a phone number or an e-mail address is no author, and a review without one is left out.
	const whole = built.filter(
		({ pid, text }) =>
			pid.startsWith('whole') && PLAIN.test(text) && withoutContactDetails(text) !== undefined,
	);
	expect(whole.length).toBeGreaterThan(PIDS.length / 3);
	for (const { text, data } of whole) {
		const [product] = data as { review: unknown[] }[];
		expect(product?.review.at(-1)).toMatchObject({ reviewBody: text.trim(), datePublished: '2026-11-21' });
	}
});

test('a page into which the same strings go as they came does not pass', () => {
	const page = pageOf(0);
	const passed = STRINGS.filter((text) => {
		// Within an element, as on the page: some tags count only where a fragment starts.
		const { elements, comments } = findElements(`<div>${text}`);
		if (elements.length === 1 && comments === 0) return false;
		// A function, so that no `$` in the string has a meaning.
		const spoiled = page.replace('Boils fast.</div>', () => `${text}</div>`);
		return markupProblems(parsePage(spoiled)).length === 0;
	});
	expect(passed).toEqual([]);
});
