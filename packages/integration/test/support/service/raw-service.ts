import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { CrawlerReviews } from 'product-reviews-client';
import { listen } from 'product-reviews-test-support/listen';
import { answer, REVIEW, reviewBlock, reviewItem, SCHEMA, schemaScript } from './payload.js';

/** What a stranger typed, and where the service puts it without escaping a character of it. */
export interface RawProduct {
	readonly text: string;
	/**
	 * `'everywhere'`: also where only the merchant or the service writes, such as the heading and the ids of the block;
	 * `'reviews'`: within the parts of reviews, so that more of the block around them stays readable.
	 */
	readonly place: 'everywhere' | 'reviews';
	/**
	 * `'raw'`: as `JSON.stringify` leaves it, so that `</script>` in the text ends the script; `'escaped'`: `<` as an
	 * escape of JSON, so that the text arrives whole.
	 */
	readonly jsonld: 'raw' | 'escaped';
}

/** The documented answer about a product, made by a service that escapes nothing. */
export function rawAnswer(pid: string, product: RawProduct): CrawlerReviews {
	return answer({
		pid,
		aggregate: { count: 3, average: 4.5 },
		html: rawHtml(product),
		jsonld: rawJsonld(product),
	});
}

/** One ordinary review, one that is the text in every part, and one whose rating, date and address can be read. */
function rawHtml({ text, place }: RawProduct): string {
	const texts = { product: text, author: text, title: text, body: text };
	const reviews = [REVIEW, { ...texts, href: text, rating: text, date: text }, { ...REVIEW, ...texts }];
	const [start = '', end] = reviewBlock('%').split('%');
	const named = start.replaceAll(/b-17|reviews-block|Customer Reviews/g, (part) =>
		place === 'everywhere' ? text : part,
	);
	return named + reviews.map(reviewItem).join('') + end;
}

function rawJsonld({ text, jsonld }: RawProduct): string {
	const [ordinary] = SCHEMA.review;
	const rawReview = (ratingValue: unknown, datePublished: string) => ({
		...{ ...ordinary, author: { '@type': 'Person', name: text }, reviewBody: text, datePublished },
		reviewRating: { ...ordinary?.reviewRating, ratingValue },
		publisher: { '@type': 'Organization', name: text },
	});
	const review = [ordinary, rawReview(text, text), rawReview(5, '2026-11-21')];
	const script = JSON.stringify({ ...SCHEMA, '@id': text, url: text, name: text, review });
	return schemaScript(jsonld === 'raw' ? script : script.replaceAll('<', '\\u003c'));
}

/** What operations 1 and 2 answer about a product. Without it, they do not work. */
interface RawData {
	readonly item: (pid: string) => unknown;
	readonly answer: (pid: string) => unknown;
}

/**
 * A service on a free port of this machine that prints what strangers typed as it came.
 * @param productOf gives what is to be sent about a product; `undefined` answers that it is broken.
 */
export async function startRawService(productOf: (pid: string) => RawProduct | undefined, data?: RawData) {
	/** The query of every request of operation 3, as it was sent. */
	const queries: string[] = [];
	const server = createServer(async (request, response) => {
		const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://localhost');
		const send = (value: unknown) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
		if (data && request.method === 'POST') return send(await dataFor(request, pathname, data));
		if (pathname !== '/api/llmRvwHTML') return response.writeHead(404).end();
		queries.push(search);
		const pid = searchParams.get('pid') ?? '';
		const product = productOf(pid);
		if (!product) return response.writeHead(500).end();
		const { aggregate, html, jsonld } = rawAnswer(pid, product);
		const dataCount = { prtng: aggregate.count, avgrtng: aggregate.average };
		send({ status: 200, pid, dataCount, html, jsonld });
	});
	return { ...(await listen(server)), queries };
}

async function dataFor(request: IncomingMessage, pathname: string, { item, answer }: RawData) {
	const body = (await json(request)) as { productId?: string; listProductId?: string[] };
	if (pathname === '/api/v1/getProductReviewData') return answer(body.productId ?? '');
	return { success: true, data: (body.listProductId ?? []).flatMap((pid) => item(pid) ?? []) };
}
