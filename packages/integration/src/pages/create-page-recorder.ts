import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProductFacts } from '../render/facts.js';
import type { Dependency } from './dependency.js';

/** What a page that was rendered shows. */
export interface RecordedPage {
	readonly facts: readonly ProductFacts[];
	/** Empty unless the build is incremental. */
	readonly dependencies: readonly Dependency[];
	/** Whether it could not ask for what it shows. */
	readonly isMissing: boolean;
}

/** Knows which page is being rendered, and collects what it shows. */
export interface PageRecorder {
	/**
	 * Renders a page and records what it shows meanwhile. Pages may be rendered beside each other.
	 * @param address path of the page's address.
	 */
	record<Result>(
		address: string,
		render: () => Promise<Result>,
	): Promise<{ readonly result: Result; readonly page: RecordedPage }>;
	/**
	 * Runs what a page asks for from outside of this process.
	 * @param address of the page. If it is `undefined`, or of no page that is being rendered, all that are being rendered
	 * may have asked, and it counts for each.
	 */
	runOn<Result>(address: string | undefined, run: () => Result): Result;
	/** Something was written on the page that is being rendered. */
	place(facts: ProductFacts): void;
	/** The page that is being rendered shows something about a product. */
	depend(dependency: Dependency): void;
	/** The page that is being rendered could not ask for what it shows. */
	miss(): void;
}

interface Recording {
	readonly address: string;
	readonly facts: ProductFacts[];
	readonly dependencies: Dependency[];
	isMissing: boolean;
}

export function createPageRecorder(): PageRecorder {
	const scope = new AsyncLocalStorage<readonly Recording[]>();
	const inFlight = new Set<Recording>();
	const current = () => scope.getStore() ?? [];
	return {
		async record(address, render) {
			const page: Recording = { address, facts: [], dependencies: [], isMissing: false };
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
		depend(dependency) {
			for (const page of current()) page.dependencies.push(dependency);
		},
		miss() {
			for (const page of current()) page.isMissing = true;
		},
	};
}
