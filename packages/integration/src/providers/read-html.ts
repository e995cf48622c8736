import {
	type DefaultTreeAdapterMap,
	type DefaultTreeAdapterTypes,
	defaultTreeAdapter,
	html as htmlSyntax,
	Parser,
} from 'parse5';
import { cleanLine, isVisible } from '../base/words.js';
import { ReviewPayloadError } from '../errors.js';
import {
	type FieldReader,
	MAX_DEPTH,
	MAX_ELEMENTS,
	MAX_HALF_LENGTH,
	MAX_TEXT_LENGTH,
	MOST,
	refusal,
} from '../records/field-reader.js';
import { type Review, readReview, unlessEmpty } from '../records/record.js';

export interface ReadHtml extends ReturnType<typeof readHtml> {}

/**
 * Reads the service's html of one product into records, as a browser would see it, whatever the markup. Only text and
 * http(s) addresses are kept, no markup. Unreadable fields of a review are left out one by one.
 * @throws ReviewPayloadError if the html is larger than the limit, or is not the service's block.
 */
export function readHtml(html: string, read: FieldReader) {
	const unreadable = (problem: string) => refusal(`The html of the reviews ${problem}.`, '"html"');
	if (html.length > MAX_HALF_LENGTH) {
		throw unreadable(`is ${html.length} characters long; the limit is ${MAX_HALF_LENGTH}`);
	}
	let block: Block = { heading: undefined, blockId: undefined, handle: undefined, items: [] };
	let failure: ReviewPayloadError | undefined;
	try {
		block = scanBlock(html) ?? parseBlock(html);
	} catch (error) {
		// A single text that nests or multiplies elements can exceed a limit. The JSON-LD may still be intact.
		if (!(error instanceof ReviewPayloadError)) throw error;
		failure = error;
	}
	const { heading, blockId, handle, items } = block;
	const isNone = blockId === undefined && handle === undefined && items.length === 0 && html.trim() !== '';
	if (isNone && !failure) {
		throw unreadable('contains neither a block nor a review as the service documents them');
	}
	return {
		block: {
			heading: read.line(heading, MAX_TEXT_LENGTH.title),
			blockId: read.line(blockId),
			handle: read.line(handle),
		},
		reviews: read.list(items, readItem, MOST.reviews, 'review-beyond-limit'),
		/** Number of reviews, including empty ones. */
		found: items.length,
		/** `true` if a text swallowed the reviews after it, as an unclosed comment does. */
		hasSwallowed: html.split(ITEM_CLASS).length - 1 > items.length,
		failure,
	};
}

/** Occurs once in the source of each review. */
const ITEM_CLASS = 'class="review-item"';

interface Block {
	readonly heading: string | undefined;
	readonly blockId: string | undefined;
	readonly handle: string | undefined;
	readonly items: readonly Parts[];
}

/** @throws ReviewPayloadError if the html has too many elements, or nests them too deeply. */
function parseBlock(html: string): Block {
	let wrapper: Element | undefined;
	let heading: string | undefined;
	const items: Parts[] = [];
	walk(parseMarkup(html, 'The html of the reviews'), (element) => {
		if (classes(element).includes('review-item')) {
			items.push(items.length < MOST.reviews ? partsOf(element) : {});
			return false;
		}
		if (['data-block-handle', 'data-id'].some((name) => attribute(element, name) !== undefined))
			wrapper ??= element;
		if (element.tagName === 'h2') heading ??= textOf(element).trim() || undefined;
		return element.tagName !== 'h2';
	});
	return {
		heading,
		blockId: wrapper && attribute(wrapper, 'data-id'),
		handle: wrapper && attribute(wrapper, 'data-block-handle'),
		items,
	};
}

type Part = 'product' | 'link' | 'author' | 'rating' | 'title' | 'body' | 'date';

type Parts = { [Name in Part | 'href']?: string | undefined };

const TEXTS = ['author', 'rating', 'title', 'body', 'date'] as const;

const PART_OF_CLASS: ReadonlyMap<string, Part> = new Map<string, Part>([
	['review-product-link', 'link'],
	...(['product', ...TEXTS] as const).map((part) => [`review-${part}`, part] as const),
]);

/** If a part occurs more than once, the first counts. */
function partsOf(item: Element): Parts {
	const parts: Parts = {};
	walk(item, (element) => {
		const names = classes(element);
		if (names.includes('review-item')) return false;
		const part = names.map((name) => PART_OF_CLASS.get(name)).find((known) => known !== undefined);
		if (part !== undefined && parts[part] === undefined) {
			parts[part] = textOf(element);
			if (part === 'link') parts.href = attribute(element, 'href');
		}
		// Only the product part contains another part, its link. Everything inside other parts is untrusted text.
		return part === undefined || part === 'product';
	});
	return parts;
}

const START =
	/^<div class="(?![^"]*review-item)[^"<>&]*" data-id="([^"<>]*)" data-block-handle="([^"<>]*)">(?:<style>[^<]*<\/style>)?(?:<h2>([^<]*)<\/h2>)?/;

/** One review with its parts in the documented order; parts may be missing. It matches where the previous review ended. */
const ITEM = new RegExp(
	[
		'<div class="review-item">',
		'(?:<div class="review-product">',
		'(?:<a class="review-product-link" href="(?<href>[^"<>]*)">(?<link>[^<]*)</a>|(?<product>[^<]*))</div>)?',
		...TEXTS.map((name) => `(?:<div class="review-${name}">(?<${name}>[^<]*)</div>)?`),
		'</div>',
	].join(''),
	'y',
);

const REFERENCES: Readonly<Record<string, string>> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&apos;': "'",
	'&#39;': "'",
	'&#x27;': "'",
	'&#34;': '"',
};

/** Text that a parser treats specially, wherever it is. There are thousands of references, some without a semicolon. */
const SPECIAL = /[\r\0]|&(?!(?:amp|lt|gt|quot|apos|#39|#x27|#34);)/;

/**
 * Finds the texts of html that has exactly the documented shape, ten times as fast as a parser, and with the same result.
 * Returns `undefined` for anything else.
 */
function scanBlock(html: string): Block | undefined {
	const start = SPECIAL.test(html) ? null : START.exec(html);
	if (!start) return undefined;
	const decode = (text: string | undefined) =>
		text?.replace(/&[^;]+;/g, (reference) => REFERENCES[reference] as string);
	const [opening, blockId, handle, heading] = start;
	const items: Parts[] = [];
	let end = opening.length;
	ITEM.lastIndex = end;
	for (let item = ITEM.exec(html); item; item = ITEM.exec(html)) {
		end = ITEM.lastIndex;
		const parts = Object.entries(item.groups as Parts).map(([part, text]) => [part, decode(text)] as const);
		const { link, product = link, ...others }: Parts = Object.fromEntries(parts);
		items.push({ ...others, link, product });
	}
	if (html.slice(end) !== '</div>') return undefined;
	return {
		heading: decode(heading)?.trim() || undefined,
		blockId: decode(blockId),
		handle: decode(handle),
		items,
	};
}

function readItem(item: unknown, read: FieldReader): Review | undefined {
	const { product, link, href, rating, date, ...texts } = item as Parts;
	const fields = {
		...texts,
		productName: link !== undefined && isVisible(link) ? link : product,
		productUrl: href,
		rating: toNumber(rating),
		date: date && cleanLine(date, MAX_TEXT_LENGTH.name),
	};
	return unlessEmpty(readReview(fields, read), read);
}

/** The service writes "Rating: <n>/5", with the word possibly in another language. Negative numbers are not ratings. */
function toNumber(rating: string | undefined): number | undefined {
	const text = rating && cleanLine(rating, MAX_TEXT_LENGTH.name);
	if (!text) return undefined;
	const match = /(?:^|[^\d.,\-\u2212])(\d{1,2}(?:[.,]\d+)?)\s*\/\s*5$/.exec(text);
	return Number(match?.[1]?.replace(',', '.'));
}

/**
 * Parses markup as a browser does. Elements are counted while they are created, because the parser repeats unclosed
 * formatting in every block, which can turn 30 KB of html into millions of elements. It is fed in pieces.
 * @param what names the markup at the start of a message.
 * @throws ReviewPayloadError if it creates more elements than {@link MAX_ELEMENTS}, or far more than one piece can contain.
 */
export function parseMarkup(markup: string, what: string): DefaultTreeAdapterTypes.DocumentFragment {
	let elements = 0;
	let maxNow = MAX_PER_PIECE;
	const treeAdapter: typeof defaultTreeAdapter = {
		...defaultTreeAdapter,
		createElement(tagName, namespaceURI, attributes) {
			elements += 1;
			if (elements > MAX_ELEMENTS || elements > maxNow) {
				throw new ReviewPayloadError(
					elements > MAX_ELEMENTS
						? `${what} creates more than ${MAX_ELEMENTS} elements.`
						: `${what} creates more than ${MAX_PER_PIECE} elements from ${PIECE} characters.`,
					'Check what the service sends for this product.',
				);
			}
			return defaultTreeAdapter.createElement(tagName, namespaceURI, attributes);
		},
	};
	const parser = Parser.getFragmentParser<DefaultTreeAdapterMap>(null, { treeAdapter });
	for (let start = 0; start === 0 || start < markup.length; start += PIECE) {
		maxNow = elements + MAX_PER_PIECE;
		parser.tokenizer.write(markup.slice(start, start + PIECE), start + PIECE >= markup.length);
	}
	return parser.getFragment();
}

/** Length of the pieces that the parser is fed, in UTF-16 code units. */
const PIECE = 16_384;

/** Most elements from one piece, which itself can contain 5,000. Unclosed formatting elements are repeated. */
const MAX_PER_PIECE = 40_000;

type ParentNode = DefaultTreeAdapterTypes.ParentNode;

type Element = DefaultTreeAdapterTypes.Element;

/** Elements whose content is not visible as text, or that change how it is parsed. */
const DROPPED = new Set(
	'script style template noscript iframe object embed svg math xmp plaintext title textarea noembed noframes select option head frameset'.split(
		' ',
	),
);

/**
 * Walks the elements and texts below `root` in document order. It is a loop, because nesting in untrusted html could overflow
 * the stack of a recursive walk. Dropped elements and those of other namespaces are skipped.
 * @param visit returns whether to descend into the element.
 * @throws ReviewPayloadError if elements are nested deeper than {@link MAX_DEPTH}.
 */
function walk(root: ParentNode, visit: (element: Element) => boolean, onText?: (text: string) => void): void {
	const stack: { node: ParentNode; next: number }[] = [{ node: root, next: 0 }];
	for (let top = stack.at(-1); top; top = stack.at(-1)) {
		const child = top.node.childNodes[top.next++];
		if (!child) {
			stack.pop();
		} else if (defaultTreeAdapter.isTextNode(child)) {
			onText?.(child.value);
		} else if (defaultTreeAdapter.isElementNode(child) && isReadable(child) && visit(child)) {
			if (stack.length >= MAX_DEPTH) {
				throw new ReviewPayloadError(
					`The html of the reviews nests elements deeper than ${MAX_DEPTH} levels.`,
					'The service documents four levels. Check what it sends for this product.',
				);
			}
			stack.push({ node: child, next: 0 });
		}
	}
}

/** The text below an element, except that of dropped elements. A `br` is a line break. */
function textOf(element: Element): string {
	let text = '';
	walk(
		element,
		({ tagName }) => {
			if (tagName === 'br') text += '\n';
			return true;
		},
		(part) => {
			text += part;
		},
	);
	return text;
}

export function attribute(element: Element, name: string): string | undefined {
	return element.attrs.find((candidate) => candidate.name === name)?.value;
}

function classes(element: Element): string[] {
	return attribute(element, 'class')?.split(/[\t\n\f\r ]+/) ?? [];
}

function isReadable(element: Element): boolean {
	return element.namespaceURI === htmlSyntax.NS.HTML && !DROPPED.has(element.tagName);
}
