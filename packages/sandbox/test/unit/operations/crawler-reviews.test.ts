import { get } from 'node:http';
import { expect, it } from 'vitest';
import { readCrawlerBlock, readJsonld } from '../../support/crawler-block.js';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const ODD_IDS = [
	'a/b',
	'../etc',
	'.',
	'..',
	'%2F',
	'🦊 & co?x=1#y',
	'"quoted" <id>',
	"it's",
	'a+b c',
	'__proto__',
	'x'.repeat(500),
	'مرحبا',
];

const HOSTILE = [
	'</div></div><script>alert(1)</script>',
	'</script><script>alert(1)</script>',
	'<!--<script>',
	'" onmouseover="alert(1)" x="',
	"'><img src=x onerror=alert(1)>",
	'&lt;b&gt; &amp; &#60;',
	'line\nbreak\r\nand\u2028separator',
	'\u0000nul\u001bescape',
	'\\u003c/script>',
];

it.each(ODD_IDS)('takes the product id %j in all operations and in the html', async (pid) => {
	const sandbox = await testSandbox({
		products: [{ pid, name: `Product ${pid}`, reviews: [{ rating: 5 }] }],
	});
	const calls = callsTo(sandbox);
	expect((await (await calls.starRating([pid])).json()).data).toMatchObject([{ pid, prtng: 1 }]);
	expect((await (await calls.productReviewData(pid)).json()).data).toMatchObject([{ pid }]);
	const { html } = await (await calls.crawlerReviews(pid)).json();
	expect(readCrawlerBlock(html).items).toMatchObject([
		{
			product: `Product ${pid}`,
			href: `https://shop.example/products/${encodeURIComponent(pid)}/`,
		},
	]);
	expect(await rawStatus(sandbox.port, `/__sandbox/products/${encodeURIComponent(pid)}/reviews`)).toBe(200);
});

it.each(HOSTILE)('escapes %j', async (text) => {
	const url = `https://shop.example/?q=${text.replaceAll('\u0000', '')}`;
	const sandbox = await testSandbox({
		storeName: text,
		products: [
			{ pid: 'p', name: text, url, reviews: [{ rating: 1.5, title: text, body: text, author: text }] },
		],
	});
	const { html, jsonld } = await (await callsTo(sandbox).crawlerReviews('p')).json();
	const [item] = readCrawlerBlock(html).items;
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not arrive
	const line = text.replace(/[\s\u2028]+/g, ' ').replace(/[\u0000\u001b]/g, '');
	expect(item).toMatchObject({
		product: line,
		author: line,
		title: line,
		body: line,
		rating: 'Rating: 1.5/5',
	});
	expect(readJsonld(jsonld)).toMatchObject({
		name: text,
		review: [{ reviewBody: text, author: { name: text }, publisher: { name: text } }],
	});
	expect(jsonld.slice(1, -1).replace('</script', '')).not.toContain('<');
});

it('fills only the parts that are wanted', async () => {
	const sandbox = await testSandbox({ products: [{ pid: 'p', name: 'P', reviews: [{ rating: 4 }] }] });
	const { crawlerReviews } = callsTo(sandbox);
	const filled = async (ihtml: string, ijsonld: string) => {
		const { html, jsonld } = await (await crawlerReviews('p', { ihtml, ijsonld })).json();
		return [html !== '', jsonld !== ''];
	};
	expect(await filled('true', 'false')).toEqual([true, false]);
	expect(await filled('0', '1')).toEqual([false, true]);
	expect(await filled('', 'yes')).toEqual([false, false]);
});

it('holds no item and no structured data without a published review', async () => {
	const reviews = [{ rating: 5, status: 'unpublished' }] as const;
	const sandbox = await testSandbox({ products: [{ pid: 'p', name: 'P', reviews }] });
	const { html, jsonld, dataCount } = await (await callsTo(sandbox).crawlerReviews('p')).json();
	expect(readCrawlerBlock(html).items).toEqual([]);
	expect({ jsonld, dataCount }).toEqual({ jsonld: '', dataCount: { prtng: 0, avgrtng: 0 } });
});

it('says what is wrong with a query', async () => {
	const sandbox = await testSandbox({ products: [{ pid: 'p', name: 'P' }] });
	const status = async (query: string) => (await fetch(`${sandbox.url}/api/llmRvwHTML?${query}`)).status;
	expect(await status('wsid=W-1001')).toBe(400);
	expect(await status('pid=p')).toBe(400);
	expect(await status('wsid=W-2&pid=p')).toBe(404);
	expect(await status('wsid=W-1001&pid=q')).toBe(404);
	expect(await status('wsid=W-1001&pid=p')).toBe(200);
});

it('does not look at the authorization', async () => {
	const sandbox = await testSandbox({ products: [{ pid: 'p', name: 'P' }] });
	const response = await callsTo(sandbox).crawlerReviews(
		'p',
		{},
		{ headers: { authorization: 'Bearer wrong' } },
	);
	expect(response.status).toBe(200);
});

it('never holds a review of another product', async () => {
	const products = ['a', 'b'].map((pid) => ({
		pid,
		name: pid,
		reviews: [{ rating: 5, body: `only ${pid}` }],
	}));
	const { crawlerReviews, productReviewData } = callsTo(await testSandbox({ products }));
	expect(await (await crawlerReviews('a')).text()).not.toContain('only b');
	expect(await (await productReviewData('b')).text()).not.toContain('only a');
});

/** The path goes out as it is: `fetch` would resolve `.` and `..` away, percent-encoded or not. */
function rawStatus(port: number, path: string): Promise<number | undefined> {
	return new Promise((resolve, reject) => {
		get({ port, host: '127.0.0.1', path }, (response) => {
			response.resume();
			resolve(response.statusCode);
		}).once('error', reject);
	});
}
