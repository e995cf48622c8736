const NAMES = ['author', 'rating', 'title', 'body', 'date'] as const;
const ITEM = new RegExp(
	'<div class="review-item">' +
		'<div class="review-product"><a class="review-product-link" href="(?<href>[^"<>]*)">(?<product>[^<>]*)</a></div>' +
		NAMES.map((name) => `<div class="review-${name}">(?<${name}>[^<>]*)</div>`).join('') +
		'</div>',
	'g',
);
const HEAD =
	/^<div class="rvw_(\w+)" data-id="\1" data-block-handle="[\w-]+"><style>\.rvw_\1\{([^{}<>]*)\}<\/style><h2>[^<>]+<\/h2>/;

/** Reads the html of operation 3 strictly: anything but the documented structure throws. Entities are resolved. */
export function readCrawlerBlock(html: string) {
	const [head = '', , style = ''] = HEAD.exec(html) ?? [];
	const found = [...html.matchAll(ITEM)];
	const documented = `${head}${found.map(([item]) => item).join('')}</div>`;
	if (head === '' || html !== documented) throw new Error(`Not the documented structure: ${html}`);
	const items = found.map(({ groups = {} }) => {
		const part = (name: string) => decode(groups[name] ?? '');
		const [author, rating, title, body, date] = NAMES.map(part) as [string, string, string, string, string];
		return { href: part('href'), product: part('product'), author, rating, title, body, date };
	});
	return { style, items };
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

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function decode(text: string): string {
	return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
}
