import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { OPERATIONS, type Operation } from 'product-reviews-client/contract';
import { z } from 'zod';
import { type Answer, answer } from './http/http.js';
import { readInput } from './records.js';
import type { Random } from './seed/random.js';

const OPERATION_NAMES = Object.keys(OPERATIONS) as [Operation, ...Operation[]];

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const milliseconds = z.number().min(0).max(86_400_000);

const faultRule = z
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

export type FaultKind = FaultRule['kind'];

/** An active rule and its effect so far. */
export interface ActiveFault {
	readonly rule: FaultRule;
	/** How many requests matched it. */
	readonly matched: number;
	/** How many of those it was applied to. */
	readonly applied: number;
}

export class FaultRules {
	readonly #random: Random;
	#active: { rule: FaultRule; matched: number; applied: number }[] = [];

	constructor(random: Random) {
		this.#random = random;
	}

	/**
	 * Adds a rule. Delays of several rules add up; of all other kinds, the rule added first wins.
	 *
	 * @throws {InvalidInputError} If the rule is invalid.
	 * @example
	 * sandbox.faults.add({ operation: 'crawlerReviews', pid: 'p-1', kind: 'status', status: 503, times: 2 });
	 */
	add(rule: FaultRule): void {
		this.#active.push({ rule: readInput(faultRule, rule), matched: 0, applied: 0 });
	}

	/** Removes all rules. Responses already under way are not affected. */
	clear(): void {
		this.#active = [];
	}

	list(): readonly ActiveFault[] {
		return this.#active.map((entry) => ({ ...entry }));
	}

	/**
	 * Decides about one request: the sum of all `latency` rules that apply, in milliseconds, and the first other rule.
	 *
	 * @param inFlight Number of running requests, including this one.
	 */
	plan(operation: Operation, pids: readonly string[], inFlight: number) {
		let delay = 0;
		let fault: FaultRule | undefined;
		for (const entry of this.#active) {
			const { rule } = entry;
			// A request can only show one fault, so further rules do not count it.
			if (!matches(rule, operation, pids) || (fault && rule.kind !== 'latency')) continue;
			if (inFlight <= (rule.above ?? 0)) continue;
			entry.matched += 1;
			if (entry.matched % (rule.every ?? 1) !== 0) continue;
			if (rule.probability !== undefined && !this.#random.chance(rule.probability)) continue;
			entry.applied += 1;
			if (rule.kind === 'latency') delay += rule.ms ?? 1_000;
			else fault = rule;
		}
		this.#active = this.#active.filter(
			({ rule, applied }) => applied < (rule.times ?? Number.POSITIVE_INFINITY),
		);
		return { delay, fault };
	}
}

function matches(rule: FaultRule, operation: Operation, pids: readonly string[]): boolean {
	if (rule.operation !== undefined && rule.operation !== operation) return false;
	return rule.pid === undefined || pids.includes(rule.pid);
}

/** Resolves when nothing more will be sent; rejects if the caller disconnects. */
export async function sendFault(
	rule: FaultRule,
	response: ServerResponse,
	rightAnswer: () => Answer,
	signal: AbortSignal,
): Promise<void> {
	switch (rule.kind) {
		case 'status':
			return send(response, refusal(rule));
		case 'redirect':
			return send(response, answer.empty(rule.status ?? 302, { location: rule.location ?? '/' }));
		case 'not-json':
			return send(response, answer.html('<!doctype html><title>Maintenance</title><h1>Back soon</h1>'));
		case 'wrong-schema':
			return send(response, answer.json(200, { ok: 'yes', items: [{ productIdentifier: 1 }] }));
		case 'latency':
		case 'hang':
			return;
		case 'reset':
			response.socket?.resetAndDestroy();
			return;
		case 'truncate':
			return truncate(response, rightAnswer());
		case 'trickle':
			return trickle(response, rightAnswer(), rule.ms ?? 100, signal);
		case 'large-body':
			return sendLarge(response, rightAnswer(), rule);
	}
}

function refusal({ status = 503, retryAfter }: FaultRule): Answer {
	const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
	return answer.error(status, 'This error was caused by a fault rule of the sandbox.', headers);
}

function start(response: ServerResponse, { status, headers, body }: Answer): void {
	response.writeHead(status, { ...headers, 'content-length': String(body.length) });
}

function send(response: ServerResponse, right: Answer): void {
	start(response, right);
	response.end(right.body);
}

async function truncate(response: ServerResponse, right: Answer): Promise<void> {
	start(response, right);
	const half = right.body.subarray(0, Math.floor(right.body.length / 2));
	await new Promise<void>((resolve) => response.write(half, () => resolve()));
	response.destroy();
}

async function trickle(
	response: ServerResponse,
	right: Answer,
	ms: number,
	signal: AbortSignal,
): Promise<void> {
	start(response, right);
	for (const byte of right.body) {
		response.write(Buffer.of(byte));
		await sleep(ms, undefined, { signal });
	}
	response.end();
}

/** Sends the correct response with a long value in front: only a size limit can detect it. */
async function sendLarge(response: ServerResponse, right: Answer, rule: FaultRule): Promise<void> {
	const head = Buffer.from('{"padding":"');
	const tail = Buffer.concat([Buffer.from('",'), right.body.subarray(1)]);
	const padding = Math.max(0, (rule.bytes ?? 20_000_000) - head.length - tail.length);
	const parts = Readable.from(chunks(head, padding, tail), { objectMode: false });
	if (rule.gzip) {
		response.writeHead(right.status, { ...right.headers, 'content-encoding': 'gzip' });
		await pipeline(parts, createGzip(), response);
	} else {
		const length = head.length + padding + tail.length;
		response.writeHead(right.status, { ...right.headers, 'content-length': String(length) });
		await pipeline(parts, response);
	}
}

function* chunks(head: Buffer, padding: number, tail: Buffer) {
	const block = Buffer.alloc(65_536, 'x');
	yield head;
	for (let left = padding; left > 0; left -= block.length) yield block.subarray(0, left);
	yield tail;
}
