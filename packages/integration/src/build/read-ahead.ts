import type { AstroIntegrationLogger } from 'astro';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Progress } from './create-progress.js';
import { describeDeadline, pastDeadline } from './describe-build.js';
import { keepAlive } from './keep-alive.js';
import type { OpenReviews } from './open-reviews.js';
import { prefetch } from './prefetch.js';
import type { SharedWork } from './shared-work.js';
import { startDeadline } from './start-deadline.js';

/** Products queued on the service's thread, enough for it to continue for seconds while this thread is busy. */
const LOOKAHEAD = 256;

/** What reading ahead works with. */
export interface ReadAheadContext {
	readonly options: Pick<ProductReviewsOptions, 'deadline'>;
	readonly progress: Progress;
	/** How the work is shared with other builders, if it is. */
	readonly shared?: SharedWork | undefined;
	/** Called if the product list cannot be read, or if a failure ends the build. */
	readonly onError: (error: unknown) => void;
	readonly logger: Pick<AstroIntegrationLogger, 'warn'>;
}

/** Reads the product list, and fetches the reviews of its products ahead of the pages. */
export function readAhead(
	{ service, list, outcomes, requests, revalidation, reviews, decideLosses }: OpenReviews,
	{ options, progress, shared, onError, logger }: ReadAheadContext,
): {
	/** Waits until everything is fetched or the deadline has passed. @returns whether the whole list was read. */
	end(): Promise<boolean>;
} {
	let isRead = list !== undefined;
	const deadline = startDeadline(options.deadline, () => {
		isRead = false;
		list?.stop();
		logger.warn(describeDeadline(progress.done(), progress.total()));
		void service.close(pastDeadline());
	});
	const onDone = () => {
		progress.addDone();
		if (!process.stdout.isTTY) progress.tick({ outcomes, requests });
	};
	const listed = revalidation.products;
	const products = listed && (shared?.order(listed) ?? listed);
	const read = products
		? prefetch(products, shared?.lookahead ?? LOOKAHEAD, reviews.refresh, onDone)
				.catch((error) => {
					isRead = false;
					onError(error);
				})
				.then(decideLosses)
		: Promise.resolve();
	return {
		async end() {
			await keepAlive(read);
			deadline.cancel();
			return isRead;
		},
	};
}
