import { AsyncLocalStorage } from 'node:async_hooks';
import type { Shown } from './page-keys.js';
import type { Placement } from './placement.js';

/** What was placed on a page, and what it shows. */
export interface RecordedPage {
	readonly placements: readonly Placement[];
	readonly shown: readonly Shown[];
}

/** A page that is rendered. */
export interface RenderedPage {
	/** Tells it from every other page of the site. */
	readonly name: string;
	/** Path of its address, for people. */
	readonly address: string;
	/** Whether people open it: an endpoint, such as a feed, shows reviews and is no page. */
	readonly isPage: boolean;
}

/** Knows which page is being rendered, and collects what is placed on it. */
export interface PageRecorder<Page = RenderedPage> {
	/** Renders a page; what is placed meanwhile is on it. Pages may be rendered beside each other. */
	render<Result>(page: Page, render: () => Promise<Result>): Promise<Result>;
	/** Something was placed on the page that is being rendered. */
	place(placement: Placement): void;
	/** The page that is being rendered shows something of a product. */
	show(shown: Shown): void;
}

/** @param onPage is told of each page that was rendered whole. */
export function createPageRecorder<Page = RenderedPage>(
	onPage: (page: Page, recorded: RecordedPage) => void,
): PageRecorder<Page> {
	const scope = new AsyncLocalStorage<{ placements: Placement[]; shown: Map<string, Shown> }>();
	return {
		async render(page, render) {
			const recorded = { placements: [], shown: new Map<string, Shown>() };
			const result = await scope.run(recorded, render);
			onPage(page, { ...recorded, shown: [...recorded.shown.values()] });
			return result;
		},
		place: (placement) => scope.getStore()?.placements.push(placement),
		show(shown) {
			const all = scope.getStore()?.shown;
			const key = `${shown.resource} ${shown.pid}`;
			// What a page shows of a product in several places is one thing that it depends on.
			all?.set(key, { ...shown, parts: { ...all.get(key)?.parts, ...shown.parts } });
		},
	};
}
