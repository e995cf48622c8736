/** How many retries a client may still make; shared by all its operations. */
export interface RetryBudget {
	/** Takes `cost` tokens; false, and nothing taken, where there are fewer. */
	take(cost: number): boolean;
	/** Puts tokens back, up to what the bucket holds. */
	giveBack(tokens: number): void;
}

/**
 * A token bucket for the life of a client. When a service is down, each product would otherwise cost all its
 * retries: 100,000 products times 4. With the bucket the whole outage costs about 100 of them. Size and costs are
 * those of the AWS SDKs.
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
