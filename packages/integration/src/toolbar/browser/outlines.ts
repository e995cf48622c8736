import { SCHEMA_SCRIPT_ID } from '../../render/schema-script-id.js';
import { element } from './element.js';

/** What components write, by the selector of its root. */
const OUTLINED: readonly { readonly selector: string; readonly name: string; readonly isHidden?: boolean }[] =
	[
		{ selector: '.review-section', name: '<ReviewSection>' },
		{ selector: '.rating-summary', name: '<RatingSummary>' },
		{ selector: '.review-topics', name: '<ReviewTopics>' },
		{ selector: '.review-list', name: '<ReviewList>' },
		{ selector: '.review-media', name: '<ReviewMedia>' },
		{ selector: '.product-questions', name: '<ProductQuestions>' },
		{ selector: '.product-reviews[data-display]', name: '<ProductReviews>' },
		{ selector: '.star-rating', name: '<StarRating>' },
		{
			selector: '[data-block-handle][data-display="hidden"]',
			name: '<ProductReviews>, hidden',
			isHidden: true,
		},
		{ selector: `script#${SCHEMA_SCRIPT_ID}`, name: '<ReviewSchema>', isHidden: true },
		{
			selector: `script[type="application/ld+json" i]:not(#${SCHEMA_SCRIPT_ID})`,
			name: 'other JSON-LD',
			isHidden: true,
		},
	];

/** Height of the mark of something that is not visible, in pixels. */
const MARK_HEIGHT = 4;

/** Height below which something is small, in pixels. */
const SMALL = 40;

/** Outlines of what components wrote on the page. */
export interface Outlines {
	/** Shows them. @returns what is outlined, as a sentence. */
	show(): string;
	hide(): void;
}

export function createOutlines(canvas: ShadowRoot): Outlines {
	const layer = element('div', { 'aria-hidden': 'true' });
	canvas.append(layer);
	const draw = (): string => {
		const found = OUTLINED.flatMap(({ selector, name, isHidden = false }) =>
			[...document.querySelectorAll(selector)].map((target) => ({ target, name, isHidden })),
		);
		layer.replaceChildren(...found.flatMap(({ target, name, isHidden }) => outline(target, name, isHidden)));
		const numbers = Map.groupBy(found, ({ name }) => name);
		const names = [...numbers].map(([name, all]) => (all.length > 1 ? `${name} × ${all.length}` : name));
		return names.length > 0 ? `Outlined: ${names.join('; ')}.` : 'Nothing on this page to outline.';
	};
	return {
		show() {
			window.addEventListener('resize', draw);
			return draw();
		},
		hide() {
			window.removeEventListener('resize', draw);
			layer.replaceChildren();
		},
	};
}

function outline(target: Element, name: string, isHidden: boolean): HTMLElement[] {
	const box = isHidden ? placeOf(target) : target.getBoundingClientRect();
	const mark = element('astro-dev-toolbar-highlight', { 'highlight-style': isHidden ? 'yellow' : 'purple' });
	const label = element('div', { class: 'outline-name', ...(isHidden && { 'data-is-hidden': '' }) }, name);
	const [left, top] = [box.left + window.scrollX, box.top + window.scrollY];
	const isWide = box.width > 0 && box.height > 0;
	Object.assign(mark.style, {
		left: `${left}px`,
		top: `${top}px`,
		width: `${box.width}px`,
		height: `${box.height}px`,
		display: isWide ? 'block' : 'none',
	});
	// Beside what is small, as in a list, where the label would cover what is above. Else above it, as far as the page goes.
	const isSmall = !isHidden && box.height < SMALL;
	Object.assign(label.style, {
		left: `${isSmall ? left + box.width + 4 : left}px`,
		top: `${isSmall ? top : Math.max(top - 20, 0)}px`,
	});
	return [mark, label];
}

/** Where something stands that takes no space: below what is before it, or at the top of what it is in. */
function placeOf(target: Element): DOMRect {
	for (let before = target.previousElementSibling; before; before = before.previousElementSibling) {
		const { width, left, bottom } = before.getBoundingClientRect();
		if (width > 1) return new DOMRect(left, bottom, width, MARK_HEIGHT);
	}
	const parent = target.parentElement;
	if (!parent || parent === document.head) {
		return new DOMRect(-window.scrollX, -window.scrollY, document.documentElement.clientWidth, MARK_HEIGHT);
	}
	const { width, left, top } = parent.getBoundingClientRect();
	return width > 1 ? new DOMRect(left, top, width, MARK_HEIGHT) : placeOf(parent);
}
