import { AsyncLocalStorage } from 'node:async_hooks';
import type { Placement } from './placement.js';

/** Knows which page is being rendered, and collects what is placed on it. */
export interface PageRecorder {
	/** Renders a page; what is placed meanwhile is on it. Pages may be rendered beside each other. */
	render<Result>(page: string, render: () => Promise<Result>): Promise<Result>;
	/** Something was placed on the page that is being rendered. */
	place(placement: Placement): void;
}

/** @param onPage is told of each page that was rendered whole. */
export function createPageRecorder(
	onPage: (page: string, placements: readonly Placement[]) => void,
): PageRecorder {
	const scope = new AsyncLocalStorage<Placement[]>();
	return {
		async render(page, render) {
			const placements: Placement[] = [];
			const result = await scope.run(placements, render);
			onPage(page, placements);
			return result;
		},
		place: (placement) => scope.getStore()?.push(placement),
	};
}
