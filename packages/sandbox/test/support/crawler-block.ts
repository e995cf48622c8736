/** The parts of one review item, entities resolved. */
export interface CrawlerItem {
	readonly href: string;
	readonly product: string;
	readonly author: string;
	readonly rating: string;
	readonly title: string;
	readonly body: string;
	readonly date: string;
}

const ITEM = new RegExp(
	'^<div class="review-item">' +
		'<div class="review-product"><a class="review-product-link" href="([^"<>]*)">([^<>]*)</a></div>' +
		'<div class="review-author">([^<>]*)</div>' +
		'<div class="review-rating">([^<>]*)</div>' +
		'<div class="review-title">([^<>]*)</div>' +
		'<div class="review-body">([^<>]*)</div>' +
		'<div class="review-date">([^<>]*)</div>' +
		'</div>',
);
const HEAD =
	/^<div class="rvw_(\w+)" data-id="\1" data-block-handle="[\w-]+"><style>\.rvw_\1\{([^{}<>]*)\}<\/style><h2>[^<>]+<\/h2>/;

/** Reads the html of operation 3 strictly: anything but the documented structure throws. */
export function readCrawlerBlock(html: string): { style: string; items: CrawlerItem[] } {
	const head = HEAD.exec(html);
	if (!head) throw new Error(`Not the documented wrapper: ${html.slice(0, 200)}`);
	const items: CrawlerItem[] = [];
	let rest = html.slice(head[0].length);
	while (rest !== '</div>') {
		const found = ITEM.exec(rest);
		if (!found) throw new Error(`Not the documented item: ${rest.slice(0, 200)}`);
		const [href = '', product = '', author = '', rating = '', title = '', body = '', date = ''] = found
			.slice(1)
			.map(decode);
		items.push({ href, product, author, rating, title, body, date });
		rest = rest.slice(found[0].length);
	}
	return { style: head[2] ?? '', items };
}

/** Reads the structured data of operation 3 as a browser would find the end of its script element. */
export function readJsonld(jsonld: string): {
	name: string;
	aggregateRating: Record<string, unknown>;
	review: Record<string, unknown>[];
} & Record<string, unknown> {
	const found =
		/^<script id="ServiceReviewSchemaJson" type="application\/ld\+json">([\s\S]*?)<\/script>/i.exec(jsonld);
	if (found?.[0] !== jsonld) throw new Error(`Not the documented element: ${jsonld.slice(0, 200)}`);
	return JSON.parse(found[1] ?? '');
}

function decode(text: string): string {
	return text
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&amp;', '&');
}
