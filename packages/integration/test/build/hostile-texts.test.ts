import { afterAll, expect, test } from 'vitest';
import { readReviewData } from '../../src/records/read-review-data.js';
import { createProject } from '../support/build/project.js';
import { TOKEN } from '../support/build/service.js';
import { STRINGS, usually } from '../support/corpora.js';
import { type RawProduct, rawAnswer, startRawService } from '../support/service/raw-service.js';
import { dataOf, wireData } from '../support/service/wire-data.js';
import { readOrRefuse } from '../support/unit/harmless.js';
import { write } from '../support/unit/write.js';

/** Review data with a stranger's text in every field that holds text but the ids: as it is, or inside an address. */
function hostileData(pid: string, value: unknown = wireData()): unknown {
	if (typeof value === 'string')
		return value.startsWith('https:')
			? `https://images.example/${encodeURIComponent(pid.toWellFormed())}`
			: pid;
	if (Array.isArray(value)) return value.map((item) => hostileData(pid, item));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, key === '_id' ? inner : hostileData(pid, inner)]),
	);
}

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
const QUERY = /^\?wsid=W-1001&pid=([^&=]+)&ihtml=true&ijsonld=true$/;
/** What a page says of where components stand. */
const ADDRESS = / data-pr="[^"]*"|<!--data-pr="[^"]*"-->/g;
/** The start of the ids of elements that open: each product has its own. */
const ID = /(?<="pr-)[0-9a-z]+(?=-\w[\w-]*")/g;
/** A page without its components. */
const FRAME =
	/^<!DOCTYPE html><html lang="en">\s*<head>\s*<title>Product<\/title>\s*<link rel="icon" href="data:,">\s*<link rel="stylesheet" href="\/_astro\/[\w.-]+">\s*<\/head>\s*<body>\s*<main>\s*<h1>Product<\/h1>\s*<\/main>\s*<footer><\/footer>\s*<\/body>\s*<\/html>\s*$/;

const service = await startRawService((pid) => PRODUCTS.get(pid), {
	answer: (pid) => hostileData(pid),
	item: (pid) => ({ pid, avgrtng: 4.5, prtng: 12, html: pid, isReqSyncWoo: pid, queCount: pid }),
});
const project = createProject('every-display', {
	service: service.url,
	options: { products: PIDS, onError: 'omit', retries: 0 },
	pages: PIDS,
	environment: TOKEN,
});

afterAll(async () => {
	project.remove();
	await service.close();
});

/** What the components write about a product: the unit tests show that it is harmless. */
async function writtenFor(pid: string, product: RawProduct, address: string): Promise<string[]> {
	const record = readOrRefuse(rawAnswer(pid, product));
	const data = readReviewData(await dataOf(hostileData(pid) as Record<string, unknown>, pid), () => {});
	const written = [
		write('ReviewSchema', record, {}, { address }),
		write('StarRating', record),
		...(['hidden', 'visible', 'details'] as const).map((display) =>
			write('ProductReviews', record, { display }),
		),
		write('ReviewSection', data),
	];
	return written.map((html) => html.replaceAll(ID, ''));
}

test('each product is asked for once by exactly its id; a page holds exactly what our templates write about its product', async () => {
	await project.build();
	const asked = service.queries.map((query) => decodeURIComponent(QUERY.exec(query)?.[1] ?? ''));
	expect(asked.toSorted()).toEqual(PIDS.toSorted());
	let parts = 0;
	for (const [index, [pid, product]] of [...PRODUCTS].entries()) {
		const path = `products/n${index + 1}/`;
		let page = project.read(`${path}index.html`).replaceAll(ADDRESS, '').replaceAll(ID, '');
		for (const html of await writtenFor(pid, product, `https://shop.example/${path}`)) {
			expect(page, pid).toContain(html);
			page = page.replace(html, '');
			if (html !== '') parts += 1;
		}
		expect(page, pid).toMatch(FRAME);
	}
	expect(parts).toBeGreaterThan(PIDS.length * 4);
});
