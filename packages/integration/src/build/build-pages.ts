import type { PageRecorder } from '../pages/create-page-recorder.js';
import type { PageKeys } from '../pages/page-keys.js';
import { createPagesByProduct, type PagesByProduct } from '../report/pages-by-product.js';
import type { BuildAudit } from './build-audit.js';

/** A page being rendered. */
export interface RenderedPage {
	/** Unique within the site. */
	readonly name: string;
	/** The path of its address, in readable form. */
	readonly address: string;
	/** `false` for an endpoint, such as a feed, which shows reviews but is not opened by people. */
	readonly isPage: boolean;
}

/** The pages of one build, and what they show. */
export interface BuildPages {
	/** Renders a page and records what it shows. */
	render<Result>(page: RenderedPage, render: () => Promise<Result>): Promise<Result>;
	/** Called when the page being rendered could not request what it shows. */
	readonly miss: PageRecorder['miss'];
	/** Pages that were built without reviews because they could not reach the build. */
	readonly unreached: readonly string[];
	readonly byProduct: PagesByProduct;
	/** Adds the pages that Astro took from its cache. */
	addReused(): void;
}

export function createBuildPages(
	recorder: PageRecorder,
	audit: Pick<BuildAudit, 'add' | 'addKnown'>,
	keys: PageKeys | undefined,
): BuildPages {
	const byProduct = createPagesByProduct();
	const unreached: string[] = [];
	return {
		async render({ name, address, isPage }, render) {
			const { result, page } = await recorder.record(address, render);
			const { facts, dependencies, isMissing } = page;
			byProduct.add(
				address,
				facts.map(({ pid }) => pid),
			);
			if (isMissing) unreached.push(address);
			const findings = isPage ? audit.add(address, facts) : [];
			keys?.rendered(name, address, isMissing ? undefined : dependencies, findings);
			return result;
		},
		miss: recorder.miss,
		unreached,
		byProduct,
		addReused() {
			for (const { address, pids, findings } of keys?.reused ?? []) {
				byProduct.add(address, pids);
				audit.addKnown(address, findings);
			}
		},
	};
}
