import { gzipSync } from 'node:zlib';
import { createReviewsClient } from 'product-reviews-client';
import { expect, test } from 'vitest';
import type { FailureKind } from '../../../src/errors.js';
import { kindOf } from '../../../src/failures/policy.js';
import { createReviewService } from '../../../src/service/create-review-service.js';
import { answer } from '../../support/service/payload.js';
import { type RawReply, rawJson, rawReply, startRawSockets } from '../../support/service/raw-sockets.js';

const JSON_TYPE = 'content-type: application/json\r\n';
const HTML_TYPE = 'content-type: text/html\r\n';
const PAGE = '<html><center>nginx</center></html>';

const changed = (parts: object) => {
	const { html, jsonld } = answer();
	return rawJson({ status: 200, pid: 'p-1', dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld, ...parts });
};
const status = (line: string, headers = '') => rawReply(line, '{}', JSON_TYPE + headers);
const body = (bytes: string | Buffer, headers = JSON_TYPE) => rawReply('200 OK', bytes, headers);

// The policy is a table of these kinds, see `failure-policy.test.ts`.
test.each<[string, FailureKind | 'reviews' | 'no reviews', RawReply]>([
	['a reset', 'network', 'reset'],
	['an end without an answer', 'network', ''],
	['what is not HTTP', 'network', 'garbage\r\n\r\n'],
	['a status of four digits', 'network', status('1000 x')],
	['two lengths that differ', 'network', rawReply('200 OK', '{}', 'content-length: 3\r\n')],
	['a body shorter than its length', 'network', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}'],
	['a chunk that is none', 'network', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
	['half of a gzip', 'unreadable', body(gzipSync('{}').subarray(0, 12), 'content-encoding: gzip\r\n')],
	['silence', 'timeout', 'silence'],
	['408', 'timeout', status('408 Request Timeout')],
	['502 with a page', 'server-error', rawReply('502 Bad Gateway', PAGE, HTML_TYPE)],
	['503 without a reason', 'server-error', status('503')],
	['503 and a year of Retry-After', 'rate-limited', status('503 x', 'retry-after: 31536000\r\n')],
	['429', 'rate-limited', status('429 Too Many Requests')],
	['400', 'refused', status('400 Bad Request')],
	["a gateway's 403", 'refused', rawReply('403 Forbidden', PAGE, HTML_TYPE)],
	['451 with an odd reason', 'client-error', status('451 \x7f\xff')],
	["a gateway's 404", 'foreign-answer', rawReply('404 Not Found', PAGE, HTML_TYPE)],
	['an empty 404', 'foreign-answer', rawReply('404 Not Found')],
	['a 404 that says it is JSON', 'foreign-answer', rawReply('404 Not Found', PAGE, JSON_TYPE)],
	['a redirect to another host', 'foreign-answer', status('302 x', 'location: https://login.example/\r\n')],
	['999', 'unreadable', status('999 x')],
	['000', 'network', status('000 x')],
	['304 that nobody asked for', 'unreadable', 'HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n'],
	['nothing', 'unreadable', body('')],
	['half of a JSON', 'unreadable', body('{"pid":"p')],
	['a page', 'unreadable', body(PAGE, HTML_TYPE)],
	['bytes that are not UTF-8', 'unreadable', body(Buffer.from([0x22, 0xff, 0x22]))],
	['more than is allowed', 'unreadable', body(`"${'x'.repeat(70_000)}"`)],
	['a bomb', 'unreadable', body(gzipSync(Buffer.alloc(9_000_000)), 'content-encoding: gzip\r\n')],
	['a body that says 500', 'unreadable', changed({ status: 500 })],
	['ratings and no review', 'unreadable', changed({ html: '<p>', jsonld: '' })],
	['a negative count', 'unreadable', changed({ dataCount: { prtng: -1, avgrtng: 4 } })],
	['another product', 'wrong-product', changed({ pid: 'another' })],
	['a 404 of the service', 'no reviews', rawJson({ message: 'no such product' }, '404 Not Found')],
	['an empty payload', 'no reviews', changed({ html: '', jsonld: '', dataCount: { prtng: 0, avgrtng: 0 } })],
	['reviews', 'reviews', changed({})],
])('%s from a socket is: %s', async (_what, expected, reply) => {
	const { url } = await startRawSockets(() => reply);
	const client = createReviewsClient({
		baseUrl: url,
		wsid: 'W',
		retries: 0,
		timeout: reply === 'silence' ? 300 : 20_000,
		maxResponseBytes: 65_536,
	});
	const kind = await createReviewService(client)
		.fetch('reviews', 'p-1')
		.then(({ isEmpty }) => (isEmpty ? 'no reviews' : 'reviews'), kindOf);
	expect(kind).toBe(expected);
});
