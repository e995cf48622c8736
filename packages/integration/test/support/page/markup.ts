import { isAddress, isOurs } from './our-markup.js';
import { elementsBelow, type PageElement, type ParsedPage } from './parse-page.js';

/**
 * The elements of a page of the fixture `every-display` outside of what the components write, in document order; what
 * the components write is there by its root. With a question mark: not on every page.
 */
const PAGE = [
	'html lang=en',
	'html/head',
	'html/head/title',
	'html/head/link rel=icon href=data:,',
	'?html/head/script type=application/ld+json id=ServiceReviewSchemaJson',
	'?html/head/meta http-equiv=content-security-policy',
	'html/head/link rel=stylesheet',
	'html/body',
	'html/body/main',
	'html/body/main/h1',
	'html/body/main/p id=before-stars',
	'?html/body/main/(stars)',
	'html/body/main/p id=before-hidden',
	'?html/body/main/(hidden)',
	'html/body/main/p id=before-visible',
	'?html/body/main/(visible)',
	'html/body/main/p id=before-details',
	'?html/body/main/(details)',
	'html/body/main/p id=after',
	'html/body/footer',
];

/** Text of the fixture itself, by its element. */
const OWN_TEXT: Readonly<Record<string, string>> = {
	'html/head/title': 'Product',
	'html/body/main/h1': 'Product',
};

/** The elements of our templates that hold others, by name or class; all others hold text. */
const HOLDERS = new Set([
	...['section', 'details', 'summary', 'ol', 'li', 'pr-summary', 'pr-star-rating'],
	...['pr-groups', 'pr-review', 'pr-rating', 'pr-meta', 'review-item', 'review-product'],
]);

/** What a stranger's text has done to a built page of the fixture `every-display`. */
export function markupProblems({ html, comments }: ParsedPage): string[] {
	const found: string[] = [];
	const problems = comments > 0 ? [`${comments} comments`] : [];
	const visit = (element: PageElement, parent: string): void => {
		const root = rootName(element);
		const path = parent + (root ?? element.tag);
		found.push(root ? path : [path, ...shown(element)].join(' '));
		if (root) {
			const foreign = [element, ...elementsBelow(element)].filter(
				(inner) => !isOurs(inner) || isSpoiled(inner),
			);
			problems.push(...foreign.map((inner) => `${path}: ${JSON.stringify(inner)}`));
			return;
		}
		const text = element.ownText.trim();
		if (element.tag !== 'script' && text !== (OWN_TEXT[path] ?? '')) problems.push(`${path}: "${text}"`);
		for (const child of element.children) visit(child, `${path}/`);
	};
	visit(html, '');
	const expected = PAGE.filter((line) => !line.startsWith('?') || found.includes(line.slice(1)));
	const wanted = expected.map((line) => line.replace('?', ''));
	if (found.join('\n') !== wanted.join('\n')) problems.push(`the page is\n${found.join('\n')}`);
	return problems;
}

/** The root of what a component wrote. */
function rootName({ tag, attributes }: PageElement): string | undefined {
	if (attributes['class'] === 'pr-star-rating') return '(stars)';
	const display = attributes['data-display'];
	return display !== undefined && ['div', 'section', 'details'].includes(tag) ? `(${display})` : undefined;
}

/** Whether there are elements in an element that is to hold nothing but text. */
function isSpoiled({ tag, attributes, children }: PageElement): boolean {
	const isHolder =
		HOLDERS.has(tag) || HOLDERS.has(attributes['class'] ?? '') || attributes['data-id'] !== undefined;
	return children.length > 0 && !isHolder;
}

/** The name of Astro's stylesheet changes with what is in it, and so do the hashes of the policy. */
function shown({ tag, attributes }: PageElement): string[] {
	const { href = '', content, ...others } = attributes;
	const isStylesheet = tag === 'link' && href.startsWith('/_astro/');
	const isPolicy = tag === 'meta' && content?.startsWith("script-src 'self' 'sha256-");
	const compared = isStylesheet || isPolicy ? others : attributes;
	const rest = Object.entries(compared).filter(([name, value]) => !isAddress(tag, name, value));
	return rest.map(([name, value]) => `${name}=${value}`);
}
