import type { PageRecorder } from '../pages/create-page-recorder.js';
import type { PageKeys } from '../pages/page-keys.js';
import { createPagesByProduct, type PagesByProduct } from '../report/pages-by-product.js';
import type { BuildAudit } from './build-audit.js';

/** A page that is rendered. */
export interface RenderedPage {
	/** Tells it from every other page of the site. */
	readonly name: string;
	/** Path of its address, for people. */
	readonly address: string;
	/** Whether people open it: an endpoint, such as a feed, shows reviews and is no page. */
	readonly isPage: boolean;
}

/** The pages of one build, and what they show. */
export interface BuildPages {
	/** Renders a page, and notes what it shows. */
	render<Result>(page: RenderedPage, render: () => Promise<Result>): Promise<Result>;
	/** The page that is being rendered could not ask for what it shows. */
	readonly miss: PageRecorder['miss'];
	/** Pages that were built without reviews, since they could not reach the build. */
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
