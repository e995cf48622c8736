import { attribute, classes, type Element, textOf, walkElements } from './html-elements.js';
import { MAX_REVIEWS } from './limits.js';
import { parseMarkup } from './parse-markup.js';
import { type HtmlParts, isPart, type PartName, type ReviewParts } from './review-parts.js';

/**
 * Finds the parts of the service's html as a browser would see them, whatever the markup.
 * @throws PayloadError where the html has more elements, or nests them deeper, than the limits.
 */
export function parseHtml(html: string): HtmlParts {
	let wrapper: Element | undefined;
	let heading: string | undefined;
	const reviews: ReviewParts[] = [];
	walkElements(parseMarkup(html, 'The html of the reviews'), (element) => {
		if (classes(element).includes('review-item')) {
			if (reviews.length < MAX_REVIEWS) reviews.push(partsOf(element));
			return false;
		}
		if (wrapper === undefined && attribute(element, 'data-block-handle') !== undefined) wrapper = element;
		if (element.tagName === 'h2') heading ??= textOf(element).trim() || undefined;
		return element.tagName !== 'h2';
	});
	return {
		heading,
		blockId: wrapper && attribute(wrapper, 'data-id'),
		handle: wrapper && attribute(wrapper, 'data-block-handle'),
		reviews,
	};
}

function partsOf(item: Element): ReviewParts {
	const parts = new Map<PartName, string>();
	walkElements(item, (element) => {
		if (classes(element).includes('review-item')) return false;
		const name = classes(element).find(isPart);
		if (name !== undefined && !parts.has(name)) {
			parts.set(name, textOf(element));
			const href = name === 'review-product-link' ? attribute(element, 'href') : undefined;
			if (href !== undefined) parts.set('href', href);
		}
		// The link is inside its part; inside any other part everything is a stranger's text.
		return name === undefined || name === 'review-product';
	});
	return parts;
}
