// Reads hostile and large answers as a server does, one after the other, and says what each cost. Runs in a process of its
// own with 300 MB of memory.

import { toLiveSettings } from '../../../dist/astro/vite-plugins.js';
import { parseOptions } from '../../../dist/options/parse-options.js';
import { createLiveSource } from '../../../dist/server/live-source.js';

const MEGABYTES_8 = 8 * 1024 * 1024;
const NESTED = MEGABYTES_8 / 2 - 100;

const SETTINGS = {
	...toLiveSettings(parseOptions({ retries: 0, timeout: '60s', maxResponseBytes: MEGABYTES_8 })),
	onDemand: { maxAge: 60_000, staleWhileRevalidate: 60_000, timeout: 60_000, maxProducts: 10 },
};

const list = (count, write) => Array.from({ length: count }, (_, index) => write(index));
const many = (count, write) => list(count, write).join('');
const crawler = (html, jsonld = '') =>
	JSON.stringify({ status: 200, pid: 'p', dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld });
const block = (content) => `<div class="x" data-id="1" data-block-handle="h"><h2>R</h2>${content}</div>`;
const item = (body) =>
	`<div class="review-item"><div class="review-author">Ada</div><div class="review-rating">Rating: 5/5</div><div class="review-body">${body}</div></div>`;
const script = (text) => `<script id="ServiceReviewSchemaJson" type="application/ld+json">${text}</script>`;
const BODY = 'Boils fast, and keeps it warm. '.repeat(60);
const LARGE_SCHEMA = JSON.stringify({
	'@type': 'Product',
	name: 'Kettle',
	review: Array(1_950).fill({ author: { name: 'Ada' }, reviewRating: { ratingValue: 5 }, reviewBody: BODY }),
});
const review = (index) => ({
	_id: `r-${index}`,
	pid: 'p',
	rtng: 5,
	un: 'Ada Lovelace',
	rttl: 'Fine',
	rtxt: 'Boils fast & keeps it warm. '.repeat(25),
	cdt: '2026-01-02T03:04:05Z',
	pu: `https://shop.example/${index}`,
	arrimg: [`https://shop.example/${index}.jpg`],
	aitopics: [{ key: 'heat', sentiment: 'positive' }],
	ivrfd: true,
});
const spoiled = (index) => ({
	...Object.fromEntries(
		'un ct st cn i pn pu rttl rtxt shp arrimg arrvdo cdt udt'.split(' ').map((name) => [name, {}]),
	),
	_id: `r-${index}`,
	pid: 'p',
	rtng: 5,
});

/** Bodies of answers, by operation. */
const ANSWERS = {
	getProductReviews: {
		'large, documented html': () => crawler(block(many(1_950, () => item(BODY))), script(LARGE_SCHEMA)),
		'large html for a parser': () => crawler(block(many(1_950, () => item(`<b>x</b>${BODY}`)))),
		'elements that are repeated': () =>
			crawler(block(item(many(3_000, (index) => `<b id="${index}">`) + '<p>x</p>'.repeat(3_000)))),
		'elements that a table puts before itself': () =>
			crawler(block(`<table>${'<b>x'.repeat(30_000)}</table>`)),
		'240,000 elements': () => crawler(block('<i></i>'.repeat(240_000))),
		'200,000 attributes': () => crawler(block(`<i ${many(200_000, (i) => `a${i} `)}></i>`)),
		'4 MB of one text': () => crawler(block(item(`<br>${'&amp;x '.repeat(590_000)}`))),
		'4 MB of marks that are drawn as nothing': () =>
			crawler(block(many(1_950, () => item('\u00ad\u0301\u200b'.repeat(300))))),
		'JSON-LD of empty objects': () => crawler('', script(`[${'{},'.repeat(1_300_000)}0]`)),
		'JSON-LD of names': () => crawler('', script(`{${many(300_000, (index) => `"k${index}":0,`)}"x":0}`)),
		'JSON-LD and 240,000 elements': () => crawler('', `${script('{}')}${'<i></i>'.repeat(240_000)}`),
		'html without an end': () => crawler('<div class="review-item">'.repeat(160_000)),
	},
	getReviewData: {
		'large review data': () =>
			JSON.stringify({ success: true, data: list(6_500, review), dataCount: { prtng: 3, avgrtng: 4 } }),
		'review data of wrong types': () => JSON.stringify({ success: true, data: list(10_000, spoiled) }),
		'8 MB of empty objects': () => `{"data":[${'{},'.repeat(MEGABYTES_8 / 3 - 50)}{}]}`,
		'8 MB of zeros': () => `{"data":[${'0,'.repeat(MEGABYTES_8 / 2 - 50)}0]}`,
		'8 MB of nested lists': () => `{"data":${'['.repeat(NESTED)}${']'.repeat(NESTED)}}`,
		'8 MB of nested objects': () => `${'{"a":'.repeat(MEGABYTES_8 / 6)}0${'}'.repeat(MEGABYTES_8 / 6)}`,
		'8 MB of names': () => `{"data":[],${many(500_000, (index) => `"k${index}":${index},`)}"x":0}`,
		'names, one an object': () => `{"data":[${many(250_000, (index) => `{"k${index}":0},`)}0]}`,
		'as many empty objects as are counted': () => `{"data":[${'{},'.repeat(520_000)}{}]}`,
		'as many zeros as are counted': () => `{"data":[${'0,'.repeat(1_040_000)}0]}`,
		'as many texts as are counted': () => `{"data":[],"x":[${'"abcdefghijk",'.repeat(590_000)}""]}`,
		'media that are empty objects': () => `{"data":[],"dataMedia":[${'{},'.repeat(520_000)}{}]}`,
		'topics that are empty objects': () =>
			`{"data":[],"dataCount":{"topicsmry":{${many(900, (index) => `"k${index}":[${'{},'.repeat(280)}{}],`)}"x":[]}}}`,
		'one review with 260,000 topics': () =>
			`{"data":[{"_id":"1","pid":"p","rtng":5,"aitopics":[${'{},'.repeat(520_000)}{}]}]}`,
		'a number of 8 MB': () => `{"data":${'1'.repeat(MEGABYTES_8 - 100)}}`,
		'a text of 8 MB': () => `{"data":"${'\\u0416'.repeat(MEGABYTES_8 / 6 - 100)}"}`,
	},
	getStarRating: {
		'stars that are empty objects': () => `{"data":[${'{},'.repeat(520_000)}{}]}`,
		'80,000 stars': () =>
			`{"data":[${many(80_000, (index) => `{"pid":"p${index}","avgrtng":4,"prtng":3,"html":"<div>stars</div>"},`)}{"pid":"p","avgrtng":4,"prtng":3}]}`,
	},
};

async function cost(method, write) {
	const bytes = new TextEncoder().encode(write());
	const source = createLiveSource(SETTINGS, {
		getSecret: (name) =>
			({ REVIEWS_BASE_URL: 'https://reviews.example', REVIEWS_WSID: 'W', REVIEWS_TOKEN: 't' })[name],
		fetch: async () => new Response(ReadableStream.from(pieces(bytes))),
		warn() {},
	});
	globalThis.gc();
	const before = process.memoryUsage().heapUsed;
	/** The most that was held at once; of the processor, milliseconds between two turns of the event loop, and in all. */
	const result = { bytes: bytes.length, megabytes: 0, blocked: 0, total: 0 };
	let last = process.threadCpuUsage();
	// Time of the processor between two turns: on a busy machine as on an idle one.
	const timer = setInterval(() => {
		const used = process.threadCpuUsage(last);
		const ms = (used.user + used.system) / 1_000;
		result.blocked = Math.max(result.blocked, Math.round(ms));
		result.total += ms;
		result.megabytes = Math.max(
			result.megabytes,
			Math.round((process.memoryUsage().heapUsed - before) / 1e6),
		);
		last = process.threadCpuUsage();
	}, 0);
	await new Promise((resolve) => setTimeout(resolve, 5));
	await source[method]('p');
	await new Promise((resolve) => setTimeout(resolve, 5));
	clearInterval(timer);
	return { ...result, total: Math.round(result.total) };
}

async function* pieces(bytes) {
	for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

// What this machine takes for the slowest of them in V8 alone.
const slowest = ANSWERS.getReviewData['names, one an object']();
const startedAt = process.threadCpuUsage();
JSON.parse(slowest);
const { user, system } = process.threadCpuUsage(startedAt);
console.log(Math.round((user + system) / 1_000));

// The first one warms up what all need.
await cost('getReviewData', ANSWERS.getReviewData['as many zeros as are counted']);
for (const [method, answers] of Object.entries(ANSWERS)) {
	for (const [name, write] of Object.entries(answers)) {
		console.log(JSON.stringify({ name, ...(await cost(method, write)) }));
	}
}
