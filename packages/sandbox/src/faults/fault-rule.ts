import { OPERATIONS, type Operation } from 'product-reviews-client/contract';
import { z } from 'zod';

const OPERATION_NAMES = Object.keys(OPERATIONS) as [Operation, ...Operation[]];
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const milliseconds = z.number().min(0).max(86_400_000);

/** A fault, the requests it applies to, and how often. */
export const faultRule = z
	.strictObject({
		/** Only this operation; all three by default. */
		operation: z.enum(OPERATION_NAMES).optional(),
		/** Only requests that name this product; all products by default. */
		pid: z.string().optional(),
		/**
		 * - `latency`: the response is delayed by `ms` (1,000 by default)
		 * - `status`: an error with `status` (503 by default) and, if given, `retryAfter`
		 * - `reset`: the connection is reset without a response
		 * - `truncate`: the connection ends after half of the announced body
		 * - `trickle`: one byte every `ms` (100 by default)
		 * - `hang`: there is never a response
		 * - `redirect`: `status` (302 by default) to `location`
		 * - `not-json`: status 200 with a proxy's HTML page
		 * - `wrong-schema`: status 200 with JSON of a different shape
		 * - `large-body`: the correct response, padded to `bytes` (20,000,000 by default), compressed with `gzip: true`
		 */
		kind: z.enum([
			'latency',
			'status',
			'reset',
			'truncate',
			'trickle',
			'hang',
			'redirect',
			'not-json',
			'wrong-schema',
			'large-body',
		]),
		status: z.int().min(200).max(599).optional(),
		/** Value of `Retry-After`: seconds, or any text (an HTTP date, or nonsense). */
		retryAfter: z.union([z.number(), z.string().regex(/^[\x20-\x7e]*$/)]).optional(),
		ms: milliseconds.optional(),
		bytes: z.int().min(1).max(1_000_000_000).optional(),
		gzip: z.boolean().optional(),
		location: z
			.string()
			.regex(/^[\x21-\x7e]+$/)
			.optional(),
		/** Removes the rule after this many faults; by default it stays. */
		times: z.int().min(1).optional(),
		/** Only every nth matching request: 3 means the third, the sixth, ... */
		every: z.int().min(1).optional(),
		/** Only while more than this many requests are in flight, including the current one. */
		above: z.int().min(0).optional(),
		/** Only with this probability, 0 to 1, drawn from the sandbox's seeded random numbers. */
		probability: z.number().min(0).max(1).optional(),
	})
	.refine(({ kind, location }) => kind !== 'redirect' || location !== undefined, {
		path: ['location'],
		message: 'a redirect needs a location',
	})
	.refine(({ kind, status }) => kind !== 'redirect' || status === undefined || REDIRECTS.has(status), {
		path: ['status'],
		message: 'a redirect needs 301, 302, 303, 307 or 308',
	});

/** A rule as accepted by `faults.add` and `POST /__sandbox/faults`. */
export type FaultRule = z.input<typeof faultRule>;

/** The kinds of faults. */
export type FaultKind = FaultRule['kind'];
