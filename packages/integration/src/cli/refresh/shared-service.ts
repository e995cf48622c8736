import { startReviewService } from '../../service/start-review-service.js';
import type { ServiceThread } from '../../service/start-service-thread.js';

type Start = typeof startReviewService;

/** The service's thread, for one refresh after another. */
export interface SharedService {
	/** Starts the thread, or takes the one that is there. Closing the result leaves it running. */
	readonly start: Start;
	end(): Promise<void>;
}

/**
 * Keeps the service's thread between refreshes of a few products each. Starting one takes as long as requesting a hundred
 * products, and it knows how many requests the service can take.
 */
export function createSharedService(): SharedService {
	let thread: ServiceThread | undefined;
	let current: Parameters<Start>[2];
	return {
		start(connection, options, context) {
			current = context;
			thread ??= startReviewService(connection, options, {
				...context,
				goesOn: true,
				warn: (message) => current?.warn?.(message),
				onRequest: (facts) => current?.onRequest?.(facts),
			});
			return { ...thread, close: async () => {} };
		},
		async end() {
			await thread?.close();
		},
	};
}
