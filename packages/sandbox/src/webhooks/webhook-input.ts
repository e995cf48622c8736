import { z } from 'zod';

/** A day: what a timer can hold, and more than any test waits. */
export const LONGEST_PAUSE = 86_400_000;

const milliseconds = z.number().min(0).max(LONGEST_PAUSE);

/** An address to send events to, and what shall go wrong on the way. */
export const webhookInput = z.strictObject({
	/** An http or https address of this machine, unless the sandbox may send elsewhere. */
	url: z.string().max(4_000).refine(isPlainAddress, 'has to be an http or https address without a password'),
	/** `whsec_` and the base64 of 24 to 64 bytes; made up when left out. */
	secret: z.string().refine(isSecret, 'has to be "whsec_" and the base64 of 24 to 64 bytes').optional(),
	/** Milliseconds to wait before each further try: 1 s, 5 s, 30 s and 2 min by default. */
	retryDelays: z.array(milliseconds).max(100).readonly().default([1_000, 5_000, 30_000, 120_000]),
	/** How often a try that failed is repeated: once for each of `retryDelays` by default. The last pause serves for all after it. */
	retries: z.int().min(0).max(100).optional(),
	/** Milliseconds until a try without an answer counts as failed: 15,000 by default. */
	timeLimit: z.number().min(1).max(LONGEST_PAUSE).default(15_000),
	/** How many more times each event is sent, with the same id: 0 by default. */
	duplicates: z.int().min(0).max(100).default(0),
	/**
	 * Holds events back and sends them in another order: whatever came within `ms` (1,000 by default) of the first, or
	 * as soon as there are `events` of them, copies included.
	 */
	disorder: z
		.strictObject({ events: z.int().min(2).optional(), ms: milliseconds.optional() })
		.readonly()
		.optional(),
	/**
	 * - `pid`: the product as text in `data.pid` (the default)
	 * - `pids`: in an array in `data.pid`
	 * - `arrpid`: as `{ pid }` in an array in `data.arrpid`
	 * - `none`: not named
	 */
	shape: z.enum(['pid', 'pids', 'arrpid', 'none']).default('pid'),
	/** How likely a try has a wrong signature, 0 to 1, drawn from the seed: 0 by default. */
	badSignatures: z.number().min(0).max(1).default(0),
});

/** An address as `webhooks.add` and `POST /__sandbox/webhooks` take it; only `url` is needed. */
export type NewWebhook = z.input<typeof webhookInput>;

/** A registered address with all its settings. */
export type Webhook = Readonly<z.output<typeof webhookInput>> & {
	readonly id: string;
	/** `whsec_` and base64: what the receiver verifies with. */
	readonly secret: string;
	readonly retries: number;
};

function isPlainAddress(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { protocol, username, password } = new URL(text);
	return /^https?:$/.test(protocol) && username === '' && password === '';
}

function isSecret(text: string): boolean {
	if (!text.startsWith('whsec_')) return false;
	const base64 = text.slice('whsec_'.length);
	const bytes = Buffer.from(base64, 'base64');
	return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64;
}
