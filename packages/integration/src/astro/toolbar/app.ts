import type { DevToolbarApp } from 'astro';
import { defineToolbarApp } from 'astro/toolbar';
import type { GivenMarkup } from '../../pages/audit.js';
import { SCHEMA_SCRIPT_ID } from '../../render/html.js';
import {
	EVENTS,
	type PageAnswer,
	type PageQuestion,
	type RefetchAnswer,
	type RefetchRequest,
	type ToolbarPage,
} from './messages.js';
import { createView, element } from './view.js';

/** The app in Astro's dev toolbar. It shows what the dev server knows of the open page. */
const app: DevToolbarApp = defineToolbarApp({
	init(canvas, events, server) {
		const outlines = createOutlines(canvas);
		const view = createView(canvas, {
			onRefetch(products) {
				view.say('Requesting again. The page reloads.');
				server.send<RefetchRequest>(EVENTS.refetch, {
					path: location.pathname,
					pids: products.map(({ pid }) => pid),
				});
			},
			onOutlines(isOn) {
				remember(KEYS.outlines, isOn);
				showOutlines();
			},
		});
		server.on<PageAnswer>(EVENTS.answer, ({ path, page }) => {
			if (path === location.pathname) show(page);
		});
		server.on<RefetchAnswer>(EVENTS.refetched, ({ path }) => {
			if (path !== location.pathname) return;
			remember(KEYS.reopen, true);
			location.reload();
		});
		let isOpen = false;

		function show(page: ToolbarPage): void {
			view.show(page, readMarkup().scripts);
			events.toggleNotification(page.alarm ? { state: true, level: page.alarm } : { state: false });
		}

		function showOutlines(): void {
			const isShown = isOpen && isRemembered(KEYS.outlines);
			view.say(isShown ? outlines.show() : '');
			if (!isShown) outlines.hide();
		}

		function showAll(): void {
			server.send<PageQuestion>(EVENTS.ask, { path: location.pathname, markup: readMarkup() });
			showOutlines();
		}

		events.onToggled(({ state }) => {
			isOpen = state;
			showAll();
		});
		events.onToolbarPlacementUpdated(({ placement }) => {
			view.window.placement = placement;
		});
		// With view transitions, the next page comes without a load.
		document.addEventListener('astro:page-load', showAll);

		view.setOutlines(isRemembered(KEYS.outlines));
		showAll();
		if (isRemembered(KEYS.reopen)) {
			remember(KEYS.reopen, false);
			events.toggleState({ state: true });
			view.focus();
		}
	},
});

export default app;

function readMarkup(): GivenMarkup {
	const all = <One extends Element>(selector: string) => [...document.querySelectorAll<One>(selector)];
	return {
		scripts: all('script[type="application/ld+json" i]').map(({ textContent }) => textContent ?? ''),
		microdata: all('[itemscope][itemtype]').flatMap((item) =>
			(item.getAttribute('itemtype') ?? '').split(/\s+/).filter(Boolean),
		),
		isNoindex: all<HTMLMetaElement>('meta[name="robots" i], meta[name="googlebot" i]').some(({ content }) =>
			/\b(?:noindex|none)\b/i.test(content),
		),
	};
}

/** Keys of the settings that outlast a reload of the page in this tab. */
const KEYS = { reopen: 'astro-product-reviews:reopen', outlines: 'astro-product-reviews:outlines' };

function isRemembered(key: string): boolean {
	return sessionStorage.getItem(key) !== null;
}

function remember(key: string, isOn: boolean): void {
	if (isOn) sessionStorage.setItem(key, 'on');
	else sessionStorage.removeItem(key);
}

/** Elements that components write: the selector of the root, and the component. */
const OUTLINED: readonly (readonly [selector: string, name: string, isHidden?: true])[] = [
	['.pr-review-section', '<ReviewSection>'],
	['.pr-rating-summary', '<RatingSummary>'],
	['.pr-review-topics', '<ReviewTopics>'],
	['.pr-review-list', '<ReviewList>'],
	['.pr-review-media', '<ReviewMedia>'],
	['.pr-product-questions', '<ProductQuestions>'],
	['.pr-product-reviews[data-display]', '<ProductReviews>'],
	['.pr-star-rating', '<StarRating>'],
	['[data-block-handle][data-display="hidden"]', '<ProductReviews>, hidden', true],
	[`script#${SCHEMA_SCRIPT_ID}`, '<ReviewSchema>', true],
	[`script[type="application/ld+json" i]:not(#${SCHEMA_SCRIPT_ID})`, 'other JSON-LD', true],
];

const MARK_HEIGHT = 4;

/** In pixels. */
const SMALL = 40;

/** Outlines of what components wrote on the page. */
function createOutlines(canvas: ShadowRoot) {
	const layer = element('div', { 'aria-hidden': 'true' });
	canvas.append(layer);
	const draw = (): string => {
		const found = OUTLINED.flatMap(([selector, name, isHidden = false]) =>
			[...document.querySelectorAll(selector)].map((target) => ({ target, name, isHidden })),
		);
		layer.replaceChildren(...found.flatMap(({ target, name, isHidden }) => outline(target, name, isHidden)));
		const numbers = Map.groupBy(found, ({ name }) => name);
		const names = [...numbers].map(([name, all]) => (all.length > 1 ? `${name} × ${all.length}` : name));
		return names.length > 0 ? `Outlined: ${names.join('; ')}.` : 'Nothing on this page to outline.';
	};
	return {
		/** @returns a sentence about what is outlined. */
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

/** Finds the place of an element that takes no space: below the element before, or at the top of the parent. */
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
