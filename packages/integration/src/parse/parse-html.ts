import { attribute, classes, type Element, textOf, walkElements } from './html-elements.js';
import { MAX_REVIEWS } from './limits.js';
import { parseMarkup } from './parse-markup.js';
import { type HtmlParts, noParts, partOf, type ReviewParts } from './review-parts.js';
import { atOnce, type Steps } from './steps.js';

/**
 * Finds the parts of the service's html as a browser would see them, whatever the markup.
 * @throws ReviewPayloadError if the html has too many elements, or nests them too deeply.
 */
export function parseHtml(html: string): HtmlParts {
	return atOnce(parseHtmlInSteps(html));
}

/** {@link parseHtml} in {@link Steps}. */
export function* parseHtmlInSteps(html: string): Steps<HtmlParts> {
	let wrapper: Element | undefined;
	let heading: string | undefined;
	let beyondLimit = 0;
	const items: Element[] = [];
	const fragment = yield* parseMarkup(html, 'The html of the reviews');
	walkElements(fragment, (element) => {
		if (classes(element).includes('review-item')) {
			if (items.length < MAX_REVIEWS) items.push(element);
			else beyondLimit += 1;
			return false;
		}
		if (wrapper === undefined && WRAPPER_ATTRIBUTES.some((name) => attribute(element, name) !== undefined)) {
			wrapper = element;
		}
		if (element.tagName === 'h2') heading ??= textOf(element).trim() || undefined;
		return element.tagName !== 'h2';
	});
	const reviews: ReviewParts[] = [];
	for (const item of items) {
		reviews.push(readItem(item));
		yield;
	}
	return {
		heading,
		blockId: wrapper && attribute(wrapper, 'data-id'),
		handle: wrapper && attribute(wrapper, 'data-block-handle'),
		reviews,
		beyondLimit,
	};
}

const WRAPPER_ATTRIBUTES = ['data-block-handle', 'data-id'];

function readItem(item: Element): ReviewParts {
	const parts = noParts();
	walkElements(item, (element) => {
		const names = classes(element);
		if (names.includes('review-item')) return false;
		const part = names.map(partOf).find((name) => name !== undefined);
		if (part !== undefined && parts[part] === undefined) {
			parts[part] = textOf(element);
			if (part === 'link') parts.href = attribute(element, 'href');
		}
		// Only the product part contains another part, its link. Everything inside other parts is untrusted text.
		return part === undefined || part === 'product';
	});
	return parts;
}
