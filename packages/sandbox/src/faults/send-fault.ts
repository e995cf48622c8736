import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { type Answer, answer } from '../server/answer.js';
import type { FaultRule } from './fault-rule.js';

/** A request that is about to fail. */
export interface FaultyExchange {
	readonly response: ServerResponse;
	/** The response without the fault. */
	readonly rightAnswer: () => Answer;
	/** Aborts when the connection is closed. */
	readonly signal: AbortSignal;
}

/** Applies a fault to a request. Resolves when nothing more will be sent; rejects if the caller disconnects. */
export async function sendFault(rule: FaultRule, exchange: FaultyExchange): Promise<void> {
	const { response, rightAnswer, signal } = exchange;
	switch (rule.kind) {
		case 'latency':
			return send(response, rightAnswer());
		case 'status':
			return send(response, refusal(rule));
		case 'redirect':
			return send(response, answer.empty(rule.status ?? 302, { location: rule.location ?? '/' }));
		case 'not-json':
			return send(response, answer.html('<!doctype html><title>Maintenance</title><h1>Back soon</h1>'));
		case 'wrong-schema':
			return send(response, answer.json(200, { ok: 'yes', items: [{ productIdentifier: 1 }] }));
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
