import { AsyncLocalStorage } from 'node:async_hooks';
import type { Placement } from '../render/placement.js';
import type { Shown } from './page-keys.js';

/** What was placed on a page, and what it shows. */
export interface RecordedPage {
	readonly placements: readonly Placement[];
	readonly shown: readonly Shown[];
	/** Whether it could not ask for what it shows. */
	readonly isMissing: boolean;
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
export interface PageRecorder<Page extends Addressed = RenderedPage> {
	/** Renders a page; what is placed meanwhile is on it. Pages may be rendered beside each other. */
	render<Result>(page: Page, render: () => Promise<Result>): Promise<Result>;
	/**
	 * Runs what a page asks for from outside of this process.
	 * @param address of the page. Where it is `undefined`, or of no page that is being rendered, all that are being rendered
	 * may have asked, and it counts for each.
	 */
	runOn<Result>(address: string | undefined, run: () => Result): Result;
	/** Something was placed on the page that is being rendered. */
	place(placement: Placement): void;
	/** The page that is being rendered shows something of a product. */
	show(shown: Shown): void;
	/** The page that is being rendered could not ask for what it shows. */
	miss(): void;
}

type Addressed = Pick<RenderedPage, 'address'>;

interface Recording {
	readonly placements: Placement[];
	readonly shown: Map<string, Shown>;
	isMissing: boolean;
}

/** @param onPage called with each page that was rendered whole. */
export function createPageRecorder<Page extends Addressed = RenderedPage>(
	onPage: (page: Page, recorded: RecordedPage) => void,
): PageRecorder<Page> {
	const scope = new AsyncLocalStorage<readonly Recording[]>();
	const inFlight = new Map<Recording, string>();
	const current = () => scope.getStore() ?? [];
	return {
		async render(page, render) {
			const recording: Recording = { placements: [], shown: new Map(), isMissing: false };
			inFlight.set(recording, page.address);
			try {
				const result = await scope.run([recording], render);
				const { placements, isMissing } = recording;
				onPage(page, { placements, shown: [...recording.shown.values()], isMissing });
				return result;
			} finally {
				inFlight.delete(recording);
			}
		},
		runOn(address, run) {
			const ofPage = [...inFlight].filter(([, of]) => of === address).map(([recording]) => recording);
			return scope.run(ofPage.length > 0 ? ofPage : [...inFlight.keys()], run);
		},
		place(placement) {
			for (const { placements } of current()) placements.push(placement);
		},
		show(shown) {
			const key = `${shown.resource} ${shown.pid}`;
			for (const { shown: all } of current()) {
				// What a page shows of a product in several places is one thing that it depends on.
				all.set(key, { ...shown, parts: { ...all.get(key)?.parts, ...shown.parts } });
			}
		},
		miss() {
			for (const recording of current()) recording.isMissing = true;
		},
	};
}
