import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fragment } from '../render/fragment.js';
import type { ProductFacts } from '../render/parts.js';
import type { MarkedHtml, Marks } from './marks.js';
import type { Dependency } from './page.js';

/** What a rendered page shows. */
export interface RecordedPage {
	readonly facts: readonly ProductFacts[];
	readonly dependencies: readonly Dependency[];
	/** The fragments that it was given with marks. Empty if it was rendered without. */
	readonly marked: MarkedHtml;
	/** Whether it could not request what it shows. */
	readonly isMissing: boolean;
}

/** Knows which page is being rendered, and collects what it shows. */
export interface PageRecorder {
	/**
	 * Renders a page and records what it shows. Pages may be rendered concurrently.
	 * @param address path of the page's address.
	 * @param marks puts marks around its fragments. @default none
	 */
	record<Result>(
		address: string,
		render: () => Promise<Result>,
		marks?: Marks,
	): Promise<{ readonly result: Result; readonly page: RecordedPage }>;
	/**
	 * Runs a call of a page outside this process.
	 * @param address of the page. If it is `undefined`, or not of a page being rendered, any page being rendered may
	 * have made the call, and it is recorded for each.
	 */
	runOn<Result>(address: string | undefined, run: () => Result): Result;
	/** Records something written on the page being rendered. */
	place(facts: ProductFacts): void;
	/** Records that the page being rendered shows something about a product. */
	depend(dependency: Dependency): void;
	/** Records that the page being rendered shows a fragment. @returns the fragment as the page gets it */
	show(dependency: Dependency, fragment: Fragment): Fragment;
	/** Records that the page being rendered could not request what it shows. */
	miss(): void;
}

interface Recording {
	readonly address: string;
	readonly facts: ProductFacts[];
	readonly dependencies: Dependency[];
	readonly marked: MarkedHtml;
	readonly marks: Marks | undefined;
	isMissing: boolean;
}

export function createPageRecorder(): PageRecorder {
	const scope = new AsyncLocalStorage<readonly Recording[]>();
	const inFlight = new Set<Recording>();
	const current = () => scope.getStore() ?? [];
	const depend = (dependency: Dependency) => {
		for (const page of current()) page.dependencies.push(dependency);
	};
	return {
		async record(address, render, marks) {
			const page: Recording = {
				address,
				facts: [],
				dependencies: [],
				marked: new Map(),
				marks,
				isMissing: false,
			};
			inFlight.add(page);
			try {
				return { result: await scope.run([page], render), page };
			} finally {
				inFlight.delete(page);
			}
		},
		runOn(address, run) {
			const ofPage = [...inFlight].filter((page) => page.address === address);
			return scope.run(ofPage.length > 0 ? ofPage : [...inFlight], run);
		},
		place(facts) {
			for (const page of current()) page.facts.push(facts);
		},
		depend,
		show(dependency, fragment) {
			const [page, another] = current();
			depend(dependency);
			// If it is unknown which page asked, it is unknown where the fragment ends up.
			if (!page?.marks || another || isWithoutPlace(dependency, fragment)) return fragment;
			return page.marks.put(fragment, page.dependencies.length - 1, page.marked);
		},
		miss() {
			for (const page of current()) page.isMissing = true;
		},
	};
}

/** A section with slots places its parts. If it has nothing to show, it has no place. */
function isWithoutPlace({ request }: Dependency, { parts }: Fragment): boolean {
	return request?.props['slots'] !== undefined && !parts;
}
