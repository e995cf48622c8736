/** The retries left for a client, shared by all its operations. */
export interface RetryBudget {
	/** Takes `cost` tokens. Returns `false` and takes none if there are fewer. */
	take(cost: number): boolean;
	/** Puts tokens back, up to the size of the bucket. */
	giveBack(tokens: number): void;
}

/**
 * A token bucket for the lifetime of a client. Without it, every product would use all its retries when the service is
 * down: 100,000 products times 4. With it, a whole outage costs about 100 retries. The size and costs are those of the
 * AWS SDKs.
 */
export function createRetryBudget(size: number = BUDGET_SIZE): RetryBudget {
	let left = size;
	return {
		take(cost) {
			if (left < cost) return false;
			left -= cost;
			return true;
		},
		giveBack(tokens) {
			left = Math.min(size, left + tokens);
		},
	};
}

const BUDGET_SIZE = 500;
