import { gzipSync } from 'node:zlib';
import { createReviewsClient } from 'product-reviews-client';
import { expect, test } from 'vitest';
import { kindOf } from '../../../src/base/failures.js';
import type { FailureKind } from '../../../src/errors.js';
import { createHostedCalls } from '../../../src/providers/hosted-reviews.js';
import { createReviewFetcher } from '../../../src/providers/review-fetcher.js';
import { answer } from '../../support/service/payload.js';
import { type RawReply, rawJson, rawReply, startRawSockets } from '../../support/service/raw-sockets.js';

const GZIP = 'content-encoding: gzip\r\n';

const changed = (parts: object) => {
	const { html, jsonld } = answer();
	return rawJson({ status: 200, pid: 'p-1', dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld, ...parts });
};
const status = (line: string, headers = '') => rawReply(line, '{}', headers);

// What comes of them is in `failure-policy.test.ts`, and what an HTTP server can send is tested with the client.
test.each<[string, FailureKind | 'reviews' | 'no reviews', RawReply]>([
	['a reset', 'network', 'reset'],
	['an end without an answer', 'network', ''],
	['what is not HTTP', 'network', 'garbage\r\n\r\n'],
	['a status of four digits', 'network', status('1000 x')],
	['two lengths that differ', 'network', rawReply('200 OK', '{}', 'content-length: 3\r\n')],
	['a body shorter than its length', 'network', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}'],
	['a chunk that is none', 'network', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
	['half of a gzip', 'network', rawReply('200 OK', gzipSync('{}').subarray(0, 12), GZIP)],
	['silence', 'timeout', 'silence'],
	['503 without a reason', 'server-error', status('503')],
	['451 with an odd reason', 'client-error', status('451 \x7f\xff')],
	['999', 'unreadable', status('999 x')],
	['000', 'network', status('000 x')],
	['304 that nobody asked for', 'unreadable', 'HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n'],
	['a body that says 500', 'unreadable', changed({ status: 500 })],
	['another product', 'wrong-product', changed({ pid: 'another' })],
	['a 404 of the service', 'no reviews', rawJson({ message: 'no such product' }, '404 Not Found')],
	['an empty payload', 'no reviews', changed({ html: '', jsonld: '', dataCount: { prtng: 0, avgrtng: 0 } })],
	['reviews', 'reviews', changed({})],
])('%s from a socket is: %s', async (_what, expected, reply) => {
	const { url } = await startRawSockets(() => reply);
	const timeout = reply === 'silence' ? 300 : 20_000;
	const client = createReviewsClient({ baseUrl: url, wsid: 'W', retries: 0, timeout });
	const kind = await createReviewFetcher(createHostedCalls(client))
		.fetch('reviews', 'p-1')
		.then(({ isEmpty }) => (isEmpty ? 'no reviews' : 'reviews'), kindOf);
	expect(kind).toBe(expected);
});
