import QuickLRU from 'quick-lru';
import { codeOf } from '../base/failures.js';
import { readablePath } from '../base/paths.js';
import { nameProduct } from '../base/words.js';
import { LONGEST_PAUSE } from '../constants.js';
import { PageRecorder, type PageRecording } from '../pages/build-pages.js';
import { createBuildSource, findShopProducts } from '../pages/build-source.js';
import type { ReviewSource } from '../pages/page-source.js';
import type { ChangedProducts } from '../project/changed-products.js';
import type { Logger } from '../project/log-lines.js';
import { openReviews, type SiteContext } from '../project/open-reviews.js';
import { ratingOf } from '../records/rating.js';
import type { FragmentSettings, ProductSource } from '../render/fragment.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import { serveSource } from './serve-source.js';

/** The reviews of one `astro dev`. Reviews are fetched when a page shows them. */
export type DevRun = Awaited<ReturnType<typeof startDev>>;

/** Makes reviews available to pages. A failure logs a warning that names the product, and does not break the page. */
export async function startDev({ settings, ...context }: SiteContext & { readonly logger: Logger }) {
	const { connection, logger } = context;
	const pages = new DevPages();
	let isStopped = false;
	const opened = await openReviews({
		...context,
		command: 'dev',
		maxPause: LONGEST_PAUSE,
		onFailure(failure, advise) {
			// Requests cut off by stopping the server are not failures of the service.
			if (isStopped) return;
			const { pid, reason, stale } = failure;
			const why = [reason, advise([failure])].filter(Boolean).join(' ');
			logger.warn(
				`The service failed for the product ${nameProduct(pid)}; ${stale ? 'stored reviews are' : 'nothing is'} shown. ${why} [${codeOf(failure.error)}]`,
			);
		},
	});
	const { store, reviews, reviewData, ratings } = opened;
	const source = createBuildSource({
		...opened,
		settings,
		pages: pages.recorder,
		// What is known by now: a dev server reads no list.
		shop: async () => findShopProducts(store, store.pids('reviews')),
	});
	const { address, close } = serveSource(connection.account, source);
	const resources = { reviews, 'review-data': reviewData, rating: ratings };
	return {
		pages,
		address,
		answerOf(from: ProductSource, pid: string) {
			const entry = store.entry(pid, from);
			const last = resources[from]?.lastAnswer(pid);
			return {
				fetchedAt: entry?.fetchedAt,
				rating: ratingOf(entry?.summary),
				/** `undefined` if the last request did not fail. */
				failure: last?.failure && { reason: last.failure.reason, isStoredShown: last.failure.stale },
				dropped: last?.dropped,
			};
		},
		renew(pids: readonly string[]): void {
			for (const resource of Object.values(resources)) for (const pid of pids) resource?.renew(pid);
		},
		mark({ pids, all }: ChangedProducts): void {
			store.mark(all ? 'all' : pids, 'event');
		},
		async stop(): Promise<void> {
			if (isStopped) return;
			isStopped = true;
			await opened.close();
			close();
		},
	};
}

/**
 * Keeps the site working while the service is not known yet: components write nothing, except `<ReviewSchema>`, which
 * writes the page's own product.
 */
export function startWithoutService(settings: FragmentSettings): DevRun {
	const pages = new DevPages();
	const { recorder } = pages;
	const none = (from: ProductSource) => async (pid: string, page?: string) => {
		recorder.of(page).dependencies.push({ pid, from });
		return undefined;
	};
	const source: ReviewSource = {
		async getFragment(pid, request, page) {
			const { dependencies, facts } = recorder.of(page);
			const { from } = componentOf(request);
			// Without a token, ratings come with the reviews.
			dependencies.push({ pid, from: from === 'rating' ? 'reviews' : from, request });
			const fragment = writeFragment(pid, undefined, request, settings);
			facts.push(...fragment.facts.map((one) => ({ ...one, pid })));
			return fragment;
		},
		getProductReviews: none('reviews'),
		getReviewData: none('review-data'),
		getStarRating: none('reviews'),
		digestOf: async () => '',
		place: (facts, page) => void recorder.of(page).facts.push(facts),
	};
	const { address, close } = serveSource('', source);
	return {
		pages,
		address,
		stop: async () => close(),
		answerOf: () => ({ fetchedAt: undefined, rating: undefined, failure: undefined, dropped: undefined }),
		renew: () => {},
		mark: () => {},
	};
}

export type DevAnswer = ReturnType<DevRun['answerOf']>;

export interface DevPage extends Pick<PageRecording, 'facts'> {
	readonly startedAt: number;
	readonly asked: PageRecording['dependencies'];
}

const MAX_PAGES = 200;

/** The pages of a dev server, as they were last rendered. Paths are those of their addresses. */
class DevPages {
	readonly recorder = new PageRecorder();
	readonly #pages = new QuickLRU<string, DevPage>({ maxSize: MAX_PAGES });

	get(path: string): DevPage | undefined {
		return this.#pages.get(readablePath(path));
	}

	async render(path: string, answer: () => Promise<void>, isPart = false): Promise<void> {
		const address = readablePath(path);
		const startedAt = Date.now();
		const { facts, dependencies: asked } = (await this.recorder.record(address, answer)).page;
		const before = this.#pages.get(address);
		// Most requests are for files, which ask for nothing.
		if (asked.length === 0 && facts.length === 0 && (isPart || !before)) return;
		const rest = isPart ? before : undefined;
		this.#pages.set(address, {
			startedAt: rest?.startedAt ?? startedAt,
			facts: [...(rest?.facts ?? []), ...facts],
			asked: [...(rest?.asked ?? []), ...asked],
		});
	}
}
