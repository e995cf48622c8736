import { decodeReferences } from './decode-references.js';
import { MAX_REVIEWS } from './limits.js';
import { type HtmlParts, isPart, type PartName, type ReviewParts } from './review-parts.js';

// Each matches from where the last one ended. Text and values hold nothing that a parser would treat in a way of its
// own: no tag, no carriage return, no NUL.
const WRAPPER = /<div class="[^"<>&\r\0]*" data-id="([^"<>\r\0]*)" data-block-handle="([^"<>\r\0]*)">/y;
const STYLE = /<style>[^<\r\0]*<\/style>/y;
const HEADING = /<h2>([^<\r\0]*)<\/h2>/y;
const PART = /<div class="(review-[a-z]+)">([^<\r\0]*)<\/div>/y;
const PRODUCT =
	/<div class="review-product"><a class="review-product-link" href="([^"<>\r\0]*)">([^<\r\0]*)<\/a><\/div>/y;
const ITEM = '<div class="review-item">';
const END = '</div>';

/**
 * Finds the parts of html that has exactly the documented shape, many times faster than a parser. For anything else,
 * `undefined`: what it does read, a parser reads in the same way.
 */
export function scanHtml(html: string): HtmlParts | undefined {
	let at = 0;
	const take = (pattern: RegExp): RegExpExecArray | undefined => {
		pattern.lastIndex = at;
		const match = pattern.exec(html);
		if (!match) return undefined;
		at = pattern.lastIndex;
		return match;
	};
	const takeText = (token: string): boolean => {
		if (!html.startsWith(token, at)) return false;
		at += token.length;
		return true;
	};
	const takeParts = (): ReviewParts | undefined => {
		const parts = new Map<PartName, string>();
		const add = (name: PartName, text: string | undefined): boolean => {
			const decoded = decodeReferences(text ?? '');
			if (decoded !== undefined && !parts.has(name)) parts.set(name, decoded);
			return decoded !== undefined;
		};
		while (!takeText(END)) {
			const product = take(PRODUCT);
			if (product) {
				const [, href, text] = product;
				// The address is that of the first link, as its text is.
				const isFirst = !parts.has('review-product-link');
				if (!add('review-product', text) || !add('review-product-link', text)) return undefined;
				if (isFirst && !add('href', href)) return undefined;
				continue;
			}
			const [, name = '', text] = take(PART) ?? [];
			if (!isPart(name) || !add(name, text)) return undefined;
		}
		return parts;
	};

	const wrapper = take(WRAPPER);
	if (!wrapper) return undefined;
	take(STYLE);
	const heading = take(HEADING)?.[1];
	const reviews: ReviewParts[] = [];
	while (!takeText(END)) {
		const parts = takeText(ITEM) ? takeParts() : undefined;
		if (!parts) return undefined;
		if (reviews.length < MAX_REVIEWS) reviews.push(parts);
	}
	const [blockId, handle, title] = [wrapper[1], wrapper[2], heading].map((text) =>
		decodeReferences(text ?? ''),
	);
	if (at !== html.length || blockId === undefined || handle === undefined || title === undefined) {
		return undefined;
	}
	return { heading: title.trim() || undefined, blockId, handle, reviews };
}
