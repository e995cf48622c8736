import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type Listening, listen } from 'product-reviews-test-support/listen';
import { expect } from 'vitest';

/** `lastmod` of each entry that has one, by the path of its address, as a real parser reads them. */
export function readSitemap(text: string): Record<string, string> {
	expect(XMLValidator.validate(text)).toBe(true);
	const { urlset, sitemapindex } = new XMLParser({
		isArray: (name) => name === 'url' || name === 'sitemap',
	}).parse(text);
	const entries: { loc: string; lastmod?: string }[] = urlset?.url ?? sitemapindex?.sitemap;
	return Object.fromEntries(
		entries
			.filter(({ lastmod }) => lastmod !== undefined)
			.map(({ loc, lastmod = '' }) => [decodeURI(new URL(loc).pathname), lastmod]),
	);
}

/** What takes the place of IndexNow. */
export interface TestIndexNow extends Listening {
	/** What it was sent. */
	readonly told: { host: string; key: string; keyLocation: string; urlList: string[] }[];
	/** Status of its answers. */
	status: number;
}

export async function startIndexNow(): Promise<TestIndexNow> {
	const server = createServer(async (request, response) => {
		service.told.push((await json(request)) as TestIndexNow['told'][number]);
		response.writeHead(service.status).end();
	});
	const service: TestIndexNow = { ...(await listen(server)), told: [], status: 200 };
	return service;
}
