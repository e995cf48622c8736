import { checkNumber } from '../errors.js';
import type { CollectorOptions } from './collector-options.js';

/** When to rebuild, in milliseconds; see the options of the collector. */
export interface Timing {
	readonly quiet: number;
	readonly atMost: number;
	readonly retryAfter: number;
	readonly retryAtMost: number;
}

/**
 * Fills in the defaults.
 * @throws WebhookConfigurationError for an invalid duration.
 */
export function readTiming(options: Pick<CollectorOptions, keyof Timing>): Timing {
	const { quiet = 30_000, atMost = 300_000, retryAfter = 10_000, retryAtMost = 600_000 } = options;
	const timing = { quiet, atMost, retryAfter, retryAtMost };
	for (const [name, value] of Object.entries(timing)) checkNumber(name, value, 0);
	return timing;
}

/** Pause after a failed attempt, in milliseconds. @param attempt counts from 1 until one succeeds. */
export function pauseAfter({ retryAfter, retryAtMost }: Timing, attempt: number): number {
	return Math.min(retryAfter * 2 ** (attempt - 1), retryAtMost);
}
