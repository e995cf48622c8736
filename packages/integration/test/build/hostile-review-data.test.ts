import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { STRINGS, spread } from '../support/corpora.js';
import { elementsBelow, type PageElement, parsePage } from '../support/page/parse-page.js';
import { type RawDataService, startRawDataService } from '../support/service/raw-data-service.js';
import { wireData, wireReview } from '../support/service/wire-data.js';

type Wire = Record<string, unknown>;

/** Fields without which there is no review, or no product. */
const KEPT = new Set(['_id', 'pid', 'success']);

/** The same answer with another value in the place of each, but for those that say which product it is. */
function replaced(value: unknown, replace: (value: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map((item) => replaced(item, replace));
	if (typeof value !== 'object' || value === null) return replace(value);
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, KEPT.has(key) ? inner : replaced(inner, replace)]),
	);
}

/** A stranger's text in every field that holds text: as it is, or inside an address. */
const hostile = (text: string) =>
	replaced(wireData(), (value) => {
		if (typeof value !== 'string') return value;
		return value.startsWith('https:')
			? `https://images.example/${encodeURIComponent(text.toWellFormed())}`
			: text;
	});

const review = wireReview();
const WRONG_TYPES: Record<string, unknown> = { string: 7, number: 'seven', boolean: 'yes', object: 'text' };

/** Answers of operation 2 that are not as they should be, by what is wrong. */
const ODD: Record<string, unknown> = {
	// Of two kinds of stars, so that there is a choice among them.
	usual: wireData({ data: [wireReview(), wireReview({ _id: 'r-2', rtng: 2 })] }),
	nulls: replaced(wireData({ data: [{ ...review, rtng: 4 }] }), (value) => (value === 4 ? value : null)),
	'null-parts': wireData({ dataCount: null, dataMedia: null, dataQueAns: null, dataCountQueAns: null }),
	missing: { success: true, data: [{ _id: 'r-1', pid: 'PID', rtng: 4 }] },
	'wrong-types': wireData({
		data: [
			wireReview(),
			{ ...(replaced(review, (value) => WRONG_TYPES[typeof value]) as Wire), rtng: 4 },
			{ ...review, _id: 'r-3', arrimg: 'text', arrtag: { a: 1 }, aitopics: 7, arrcustque: [null, {}] },
			...['a text', 7, null, []],
		],
		dataCount: replaced(wireData()['dataCount'], (value) => WRONG_TYPES[typeof value]),
		dataMedia: ['a text', {}, { arrimg: 7 }],
		dataQueAns: [7, { que: 7 }, { que: 'Really?', arrpid: 'text' }],
	}),
	languages: wireData({
		dataCount: {
			...(wireData()['dataCount'] as Wire),
			aitopics: [
				{ key: 'lid', translations: JSON.parse('{"__proto__":"lid","xx-klingon":"tlh"}'), total_count: 2 },
			],
			topicsmry: JSON.parse('{"__proto__":[{"topic":"lid","text":"t"}],"zz":[{"topic":"lid","text":"nuq"}]}'),
		},
	}),
	many: wireData({
		data: Array.from({ length: 5_000 }, (_, index) =>
			wireReview({ _id: `r-${index}`, rtxt: `Review ${index}.` }),
		),
	}),
};

const TEXTS = spread(
	STRINGS.filter((text) => text.length < 2_000),
	80,
);
const withPid = (answer: unknown, pid: string) =>
	JSON.parse(JSON.stringify(answer).replaceAll(/"(?:p-1|PID)"/g, JSON.stringify(pid)));
const ANSWERS = new Map<string, unknown>([
	...Object.entries(ODD).map(([pid, answer]) => [pid, withPid(answer, pid)] as const),
	...TEXTS.map((text, index) => [`hostile-${index}`, withPid(hostile(text), `hostile-${index}`)] as const),
]);
const ITEMS = new Map<string, unknown>([
	...TEXTS.map((text, index) => {
		const pid = `hostile-${index}`;
		return [pid, { pid, avgrtng: 4.5, prtng: 12, html: text, isReqSyncWoo: text, queCount: text }] as const;
	}),
	['nulls', { pid: 'nulls', avgrtng: null, prtng: null, html: null, isReqSyncWoo: null, queCount: null }],
	['wrong-types', { pid: 'wrong-types', avgrtng: 'many', prtng: {}, html: 7 }],
]);

let service: RawDataService;
let project: BuildProject;
let built: { status: number | null; output: string };

beforeAll(async () => {
	service = await startRawDataService(ANSWERS, ITEMS);
	project = createProject('whole-section');
	built = await project.build({
		service: service.url,
		environment: { REVIEWS_TOKEN: 'token' },
		pages: [...ANSWERS.keys()],
	});
});

afterAll(async () => {
	project?.remove();
	await service?.close();
});

const pageOf = (pid: string) => parsePage(project.read(`products/${pid}/index.html`));

/** An element by what makes it live: its name, its attributes, and where its addresses lead. */
function kindOf({ tag, attributes }: PageElement): string {
	const parts = Object.entries(attributes).map(([name, value]) =>
		name === 'href' || name === 'src' ? `${name}=${value.split(/[:/#]/)[0]}` : name,
	);
	return [tag, ...parts.toSorted()].join(' ');
}

const kindsOf = (pid: string) => new Set([...elementsBelow(pageOf(pid).html)].map(kindOf));

/** Kinds of elements that the page of the usual answer does not have. */
function unusual(pid: string): string[] {
	const usual = kindsOf('usual');
	return [...kindsOf(pid)].filter((kind) => !usual.has(kind));
}

/** Whether what comes before and after the components is where the page has it. */
function isWhole(pid: string): boolean {
	const { html, comments } = pageOf(pid);
	const main = [...elementsBelow(html)].find(({ tag }) => tag === 'main');
	const ids = main?.children.map(({ attributes }) => attributes['id']);
	return comments === 0 && ids?.[0] === 'before' && ids.at(-1) === 'after';
}

test('the site is built, whatever the service sends', () => {
	expect(built.status, built.output).toBe(0);
	expect(kindsOf('usual').size).toBeGreaterThan(30);
});

test.each(Object.keys(ODD))(
	'%s: the page is whole, and holds nothing but what our templates write',
	(pid) => {
		expect(isWhole(pid)).toBe(true);
		expect(unusual(pid)).toEqual([]);
	},
);

describe('hostile text in every field of operations 1 and 2', () => {
	test('is text on every page', () => {
		for (const [index, text] of TEXTS.entries()) {
			const pid = `hostile-${index}`;
			expect(isWhole(pid), text).toBe(true);
			expect(unusual(pid), text).toEqual([]);
		}
	});

	test('is shown, where there is something to see', () => {
		const shown = TEXTS.filter((_, index) => kindsOf(`hostile-${index}`).has('article class'));
		expect(shown.length).toBeGreaterThan(60);
	});
});

test('reviews with nothing but stars are shown, and so are some of five thousand', () => {
	for (const pid of ['nulls', 'missing', 'wrong-types']) {
		expect(project.read(`products/${pid}/index.html`), pid).toContain('class="review-item"');
	}
	expect(project.read('products/many/index.html').match(/class="review-item/g)).toHaveLength(100);
	expect(project.read('products/languages/index.html')).toContain('nuq');
});
