import type { Change } from 'product-reviews-webhook';
import { ProductReviewsError } from '../errors.js';
import { plainLine } from '../text/clean-text.js';
import { count, nameProducts } from '../text/words.js';
import type { PublishReviews } from './load-publish.js';

type Published = Awaited<ReturnType<PublishReviews>>;

/** What changed. */
export type Changed = Pick<Change, 'pids' | 'all'>;

/** What a publisher works with. */
export interface PublisherContext {
	readonly load: () => Promise<PublishReviews>;
	readonly locateStore: () => URL;
	/** Starts a rebuild; `undefined` if no option says how. */
	readonly rebuild: ((changed: Changed) => Promise<void>) | undefined;
	readonly say: (line: string) => void;
	readonly warn: (line: string) => void;
}

/** Products named, and pages listed, in one line. */
const MOST_NAMED = 10;
const MOST_LETTERS = 200;

/**
 * Returns a function that publishes what changed into the server's own files. One publish runs at a time, and one more
 * after it for all that came meanwhile.
 * @throws Error if the service failed for a product of this change, or if anything else went wrong.
 */
export function createPublisher(context: PublisherContext): (changed: Changed) => Promise<void> {
	const publish = inTurns((changed) => publishNow(changed, context));
	return async (changed) => {
		const failed = await publish(changed);
		const own = changed.all ? failed : failed.filter((pid) => changed.pids.includes(pid));
		if (own.length > 0) {
			throw new ProductReviewsError(
				'PR_SERVICE_FAILED',
				`The service failed for ${nameProducts(own, MOST_NAMED)}.`,
				'The sender tries again; a build also fetches them.',
			);
		}
	};
}

/** @returns products for which the service failed. */
async function publishNow(
	changed: Changed,
	{ load, locateStore, rebuild: startRebuild, say, warn }: PublisherContext,
): Promise<readonly string[]> {
	const publishReviews = await load();
	const startedAt = performance.now();
	const { files, rebuild, failed } = await publishReviews({
		pids: changed.all ? 'all' : changed.pids,
		storeFile: locateStore(),
		onWarning: warn,
	});
	const seconds = (performance.now() - startedAt) / 1_000;
	say(`Published: ${count(files.length, 'file')} changed in ${seconds.toFixed(2)} s.`);
	if (rebuild.length > 0) {
		warn(`Left to a rebuild: ${describeRebuild(rebuild)}.`);
		await startRebuild?.(changed);
	}
	return failed.map(({ pid }) => pid);
}

function describeRebuild(pages: Published['rebuild']): string {
	const [{ page, reason } = { page: null, reason: 'unknown' }] = pages;
	if (page === null) return `all pages (${reason})`;
	return `${count(pages.length, 'page')}, such as ${plainLine(page, MOST_LETTERS)} (${reason})`;
}

/** Merges what is asked for while the action runs. Everybody gets the result of the run that had theirs. */
function inTurns<Result>(action: (changed: Changed) => Promise<Result>) {
	let last: Promise<unknown> = Promise.resolve();
	let next: { readonly pids: Set<string>; all: boolean; readonly result: Promise<Result> } | undefined;
	return ({ pids, all }: Changed): Promise<Result> => {
		if (!next) {
			const batch = { pids: new Set<string>(), all: false };
			const result = last.then(() => {
				next = undefined;
				return action({ pids: [...batch.pids], all: batch.all });
			});
			next = Object.assign(batch, { result });
			last = result.catch(() => {});
		}
		for (const pid of pids) next.pids.add(pid);
		next.all ||= all;
		return next.result;
	};
}
