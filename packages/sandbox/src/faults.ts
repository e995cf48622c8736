import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { OPERATIONS, type Operation } from 'product-reviews-client/contract';
import { z } from 'zod';
import { type Answer, answer } from './http.js';
import type { Random } from './random.js';
import { matching, readInput } from './records.js';

const milliseconds = z.number().min(0).max(86_400_000);

const faultOptions = z.strictObject({
	/** Restricts the rule to one operation; all three by default. */
	operation: z.enum(Object.keys(OPERATIONS) as [Operation, ...Operation[]]).optional(),
	/** Restricts the rule to requests that name this product; all products by default. */
	pid: z.string().optional(),
	status: z.int().min(200).max(599).optional(),
	/** Value of `Retry-After`: seconds, or any text (an HTTP date, or nonsense). */
	retryAfter: z.union([z.number(), matching(/^[\x20-\x7e]*$/)]).optional(),
	ms: milliseconds.optional(),
	bytes: z.int().min(1).max(1_000_000_000).optional(),
	gzip: z.boolean().optional(),
	location: matching(/^[\x21-\x7e]+$/).optional(),
	/** Removes the rule after this many faults; by default it stays. */
	times: z.int().min(1).optional(),
	/** Only every nth matching request: 3 means the third, the sixth, ... */
	every: z.int().min(1).optional(),
	/** Only while more than this many requests are in flight, including the current one. */
	above: z.int().min(0).optional(),
	/** Only with this probability, 0 to 1, drawn from the sandbox's seeded random numbers. */
	probability: z.number().min(0).max(1).optional(),
});

interface FaultContext {
	readonly response: ServerResponse;
	readonly rightAnswer: () => Answer;
	/** Aborts when the caller disconnects. */
	readonly signal: AbortSignal;
}

type Fault = z.output<typeof faultOptions> & FaultContext;

/** Each ends when nothing more will be sent, and rejects if the caller disconnects. */
const FAULTS = {
	/** The response is delayed by `ms` (1,000 by default). */
	latency() {},
	/** There is never a response. */
	hang() {},
	/** The connection is reset without a response. */
	reset: ({ response }) => void response.socket?.resetAndDestroy(),
	/** An error with `status` (503 by default) and, if given, `retryAfter`. */
	status({ response, status = 503, retryAfter }) {
		const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
		send(response, answer.error(status, 'This error was caused by a fault rule of the sandbox.', headers));
	},
	/** `status` (302 by default) to `location`. */
	redirect: ({ response, status = 302, location = '/' }) =>
		send(response, answer.empty(status, { location })),
	/** Status 200 with a proxy's HTML page. */
	'not-json': ({ response }) =>
		send(response, answer.html('<!doctype html><title>Maintenance</title><h1>Back soon</h1>')),
	/** Status 200 with JSON of a different shape. */
	'wrong-schema': ({ response }) =>
		send(response, answer.json(200, { ok: 'yes', items: [{ productIdentifier: 1 }] })),
	/** The connection ends after half of the announced body. */
	async truncate({ response, rightAnswer }) {
		const body = start(response, rightAnswer());
		const half = body.subarray(0, Math.floor(body.length / 2));
		await new Promise<void>((resolve) => response.write(half, () => resolve()));
		response.destroy();
	},
	/** One byte every `ms` (100 by default). */
	async trickle({ response, rightAnswer, ms = 100, signal }) {
		for (const byte of start(response, rightAnswer())) {
			response.write(Buffer.of(byte));
			await sleep(ms, undefined, { signal });
		}
		response.end();
	},
	/**
	 * The correct response, padded to `bytes` (20,000,000 by default), compressed with `gzip: true`. The long value is in
	 * front: only a size limit can detect it.
	 */
	async 'large-body'({ response, rightAnswer, bytes = 20_000_000, gzip }) {
		const { status, headers, body } = rightAnswer();
		const head = Buffer.from('{"padding":"');
		const tail = Buffer.concat([Buffer.from('",'), body.subarray(1)]);
		const padding = Math.max(0, bytes - head.length - tail.length);
		const parts = Readable.from(padded(head, padding, tail), { objectMode: false });
		const length = { 'content-length': String(head.length + padding + tail.length) };
		response.writeHead(status, { ...headers, ...(gzip ? { 'content-encoding': 'gzip' } : length) });
		await (gzip ? pipeline(parts, createGzip(), response) : pipeline(parts, response));
	},
} satisfies Record<string, (fault: Fault) => void | Promise<void>>;

function start(response: ServerResponse, { status, headers, body }: Answer): Buffer {
	response.writeHead(status, { ...headers, 'content-length': String(body.length) });
	return body;
}

const send = (response: ServerResponse, right: Answer) => void response.end(start(response, right));

function* padded(head: Buffer, padding: number, tail: Buffer) {
	const block = Buffer.alloc(65_536, 'x');
	yield head;
	for (let left = padding; left > 0; left -= block.length) yield block.subarray(0, left);
	yield tail;
}

export type FaultKind = keyof typeof FAULTS;

const noLocation = { path: ['location'], message: 'a redirect needs a location' };
const faultRule = faultOptions
	.extend({ kind: z.enum(Object.keys(FAULTS) as [FaultKind, ...FaultKind[]]) })
	.refine(({ kind, location }) => kind !== 'redirect' || location !== undefined, noLocation);

/** A rule as accepted by `faults.add` and `POST /__sandbox/faults`. */
export type FaultRule = z.input<typeof faultRule>;

/** An active rule and its effect so far. */
export interface ActiveFault {
	readonly rule: FaultRule;
	/** Number of requests that matched the rule. */
	readonly matched: number;
	/** Number of matching requests that the rule was applied to. */
	readonly applied: number;
}

export interface FaultRules extends ReturnType<typeof createFaultRules> {}

export function createFaultRules(random: Random) {
	let active: { rule: FaultRule; matched: number; applied: number }[] = [];
	return {
		/**
		 * Adds a rule. Delays of several rules add up; of all other kinds, the rule added first wins.
		 *
		 * @throws {InvalidInputError} If the rule is invalid.
		 * @example
		 * sandbox.faults.add({ operation: 'crawlerReviews', pid: 'p-1', kind: 'status', status: 503, times: 2 });
		 */
		add(rule: FaultRule): void {
			active.push({ rule: readInput(faultRule, rule), matched: 0, applied: 0 });
		},
		/** Removes all rules. Responses already under way are not affected. */
		clear(): void {
			active = [];
		},
		list: (): readonly ActiveFault[] => active.map((entry) => ({ ...entry })),
		/**
		 * Decides about one request: the sum of all `latency` rules that apply, in milliseconds, and the first other rule.
		 * @param inFlight Number of running requests, including this one.
		 */
		plan(operation: Operation, pids: readonly string[], inFlight: number) {
			let delay = 0;
			let fault: FaultRule | undefined;
			for (const entry of active) {
				const { rule } = entry;
				if (rule.operation !== undefined && rule.operation !== operation) continue;
				if (rule.pid !== undefined && !pids.includes(rule.pid)) continue;
				// A request can only show one fault, so further rules do not count it.
				if (fault && rule.kind !== 'latency') continue;
				if (inFlight <= (rule.above ?? 0)) continue;
				entry.matched += 1;
				if (entry.matched % (rule.every ?? 1) !== 0) continue;
				if (rule.probability !== undefined && !random.chance(rule.probability)) continue;
				entry.applied += 1;
				if (rule.kind === 'latency') delay += rule.ms ?? 1_000;
				else fault = rule;
			}
			active = active.filter(({ rule, applied }) => applied !== rule.times);
			return { delay, fault };
		},
	};
}

export async function sendFault({ kind, ...options }: FaultRule, context: FaultContext): Promise<void> {
	const fault: (fault: Fault) => void | Promise<void> = FAULTS[kind];
	await fault({ ...options, ...context });
}
