import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createReviewsClient } from 'product-reviews-client';
import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../../../src/errors.js';
import { consequenceOf, STORED_STATES, type StoredState } from '../../../src/failures/failure-policy.js';
import { areFewUnusable, areFewVanished } from '../../../src/failures/limits.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { createProductOutcomes } from '../../../src/outcomes/product-outcomes.js';
import { collectWarnings } from '../../../src/report/collect-warnings.js';
import { createReviewService } from '../../../src/service/create-review-service.js';
import { fetchWhole } from '../../../src/service/fetch-whole.js';
import { pack } from '../../../src/store/pack.js';
import { answer } from '../../support/service/payload.js';
import { type RawReply, rawJson, rawReply, startRawSockets } from '../../support/service/raw-sockets.js';
import { failureTable } from '../../support/unit/failure-table.js';
import { record } from '../../support/unit/record.js';
import { createSession } from '../../support/unit/session.js';
import { createStoreFile } from '../../support/unit/store.js';

const DAY = 86_400_000;
const JSON_TYPE = 'content-type: application/json\r\n';
const HTML_TYPE = 'content-type: text/html\r\n';
const PAGE = '<html><center>nginx</center></html>';

const payload = (pid: string, parts: object = {}) => {
	const { html, jsonld } = answer({ pid });
	return { status: 200, pid, dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld, ...parts };
};
const changed = (parts: object) => (pid: string) => rawJson(payload(pid, parts));
const status = (line: string, headers = '') => rawReply(line, '{}', JSON_TYPE + headers);
const body = (bytes: string | Buffer, headers = JSON_TYPE) => rawReply('200 OK', bytes, headers);
const GOOD = (pid: string) => rawJson(payload(pid));

/** What comes over the socket, and what kind of failure it is. */
const ANSWERS: readonly (readonly [string, FailureKind, RawReply | ((pid: string) => RawReply)])[] = [
	['a reset', 'network', 'reset'],
	['an end without an answer', 'network', ''],
	['what is not HTTP', 'network', 'garbage\r\n\r\n'],
	['a status of four digits', 'network', status('1000 x')],
	['a status without digits', 'network', status('abc x')],
	['two lengths that differ', 'network', rawReply('200 OK', '{}', 'content-length: 3\r\n')],
	['a length below zero', 'network', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}'],
	['a body shorter than its length', 'network', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}'],
	['a chunk that is none', 'network', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
	['what is no gzip', 'network', body('{}', 'content-encoding: gzip\r\n')],
	['half of a gzip', 'network', body(gzipSync('{}').subarray(0, 12), 'content-encoding: gzip\r\n')],
	['silence', 'timeout', 'silence'],
	['408', 'timeout', status('408 Request Timeout')],
	['500', 'server-error', status('500 Internal Server Error')],
	['502 with a page', 'server-error', rawReply('502 Bad Gateway', PAGE, HTML_TYPE)],
	['503 without a reason', 'server-error', status('503')],
	['599', 'server-error', status('599 x')],
	['503 and a year of Retry-After', 'rate-limited', status('503 x', 'retry-after: 31536000\r\n')],
	['429', 'rate-limited', status('429 Too Many Requests')],
	['400', 'refused', status('400 Bad Request')],
	['401', 'refused', status('401 Unauthorized')],
	["a gateway's 403", 'refused', rawReply('403 Forbidden', PAGE, HTML_TYPE)],
	['410', 'client-error', status('410 Gone')],
	['451 with an odd reason', 'client-error', status('451 \x7f\xff')],
	["a gateway's 404", 'foreign-answer', rawReply('404 Not Found', PAGE, HTML_TYPE)],
	['an empty 404', 'foreign-answer', rawReply('404 Not Found')],
	['a 404 that is JSON and no object', 'foreign-answer', rawReply('404 Not Found', '"no"', JSON_TYPE)],
	['a 404 that says it is JSON', 'foreign-answer', rawReply('404 Not Found', PAGE, JSON_TYPE)],
	[
		'a redirect to another host',
		'foreign-answer',
		status('302 Found', 'location: https://login.example/\r\n'),
	],
	['a redirect to nowhere', 'foreign-answer', status('301 Moved')],
	['999', 'unreadable', status('999 x')],
	['600', 'unreadable', status('600 x')],
	['099', 'unreadable', status('099 x')],
	['000', 'unreadable', status('000 x')],
	['204', 'unreadable', 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'],
	['304 that nobody asked for', 'unreadable', 'HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n'],
	['206', 'unreadable', status('206 Partial Content')],
	['nothing', 'unreadable', body('')],
	['nothing that is gzip', 'unreadable', body('', 'content-encoding: gzip\r\n')],
	['half of a JSON', 'unreadable', body('{"pid":"p')],
	['a page', 'unreadable', body(PAGE, HTML_TYPE)],
	['JSON of another shape', 'unreadable', body('{"ok":"yes"}')],
	['null', 'unreadable', body('null')],
	['bytes that are not UTF-8', 'unreadable', body(Buffer.from([0x22, 0xff, 0x22]))],
	['gzip in gzip', 'unreadable', body(gzipSync(gzipSync('{}')), 'content-encoding: gzip, gzip\r\n')],
	['more than is allowed', 'unreadable', body(`"${'x'.repeat(70_000)}"`)],
	['a bomb', 'unreadable', body(gzipSync(Buffer.alloc(9_000_000)), 'content-encoding: gzip\r\n')],
	['a body that says 500', 'unreadable', changed({ status: 500 })],
	['a body that says it failed', 'unreadable', changed({ success: false })],
	['no html', 'unreadable', changed({ html: undefined })],
	['ratings and no review', 'unreadable', changed({ html: '<p>', jsonld: '' })],
	['a negative count', 'unreadable', changed({ dataCount: { prtng: -1, avgrtng: 4 } })],
	['another product', 'wrong-product', changed({ pid: 'another' })],
	['a 404 of the service', 'vanished', rawJson({ message: 'no such product' }, '404 Not Found')],
	['an empty payload', 'vanished', changed({ html: '', jsonld: '', dataCount: { prtng: 0, avgrtng: 0 } })],
];

const OPTIONS = ['stale', 'omit', 'fail'] as const;
const AGES: Readonly<Record<Exclude<StoredState, 'nothing'>, number>> = {
	fresh: 1_000,
	stale: DAY,
	'too old': 60 * DAY,
};
/** So many are few of their kind, and so many are many: the limits are 10 products, and 4. */
const FEW = 1;
const MANY = 12;

describe('what comes of a failure is what the policy says, over a real client, store and socket', () => {
	test.each(ANSWERS)('%s: %s', async (_what, kind, reply) => {
		const { url } = await startRawSockets(({ pid }) =>
			pid === 'good' ? GOOD(pid) : typeof reply === 'function' ? reply(pid) : reply,
		);
		const file = createStoreFile();
		const run = async (stored: StoredState, onError: (typeof OPTIONS)[number], count: number) => {
			const pids = Array.from({ length: count }, (_, index) => `p-${index}`);
			const service = createReviewService(
				createReviewsClient({
					baseUrl: url,
					wsid: 'W',
					retries: 0,
					timeout: reply === 'silence' ? 2_000 : 20_000,
					maxResponseBytes: 65_536,
					concurrency: 16,
					fetch: fetchWhole,
				}),
			);
			const store = file.open(`${stored} ${onError} ${count}`);
			const outcomes = createProductOutcomes();
			const age = stored === 'nothing' ? 0 : AGES[stored];
			for (const pid of stored === 'nothing' ? [] : pids) {
				const value = record({ pid, heading: 'Stored' });
				store
					.table('reviews')
					.put(pid, pack({ ...value, schema: undefined }, value.aggregate), Date.now() - age);
			}
			const session = createSession({
				service,
				store,
				options: parseOptions({ onError, maxAge: '1h', maxStale: '30d' }),
				outcomes,
				now: Date.now,
				command: 'build',
				onFailure: () => {},
				listed: new Set(['good', ...pids]) as never,
				isOutdated: () => true,
			});
			await session.refresh('good');
			const refreshed = Promise.allSettled(pids.map((pid) => session.refresh(pid)));
			const shown = pids.map((pid) =>
				session.source.getProductReviews(pid).then(
					(value) => (value?.reviews.length ? 'the stored reviews' : 'no reviews'),
					(error) => (error.name === 'ReviewsUnavailableError' ? 'an error' : String(error)),
				),
			);
			await refreshed;
			await session.decideLosses();
			const [shows] = await Promise.all(shown);
			let endsBuild = false;
			try {
				session.assertWhole();
			} catch {
				endsBuild = true;
			}
			const warnings = collectWarnings(outcomes, { onError });
			const log = endsBuild ? 'an error' : warnings.length > 0 ? 'a warning' : 'nothing';
			await service.close();
			return { shows, status: outcomes.reviews.statusOf('p-0'), log, endsBuild };
		};
		for (const count of [FEW, MANY]) {
			const cases = STORED_STATES.flatMap((stored) => OPTIONS.map((onError) => ({ stored, onError })));
			const seen = await Promise.all(
				cases.map(async (of) => ({ ...of, count, ...(await run(of.stored, of.onError, count)) })),
			);
			expect(seen).toEqual(
				cases.map((of) => ({ ...of, count, ...consequenceOf({ ...of, kind, isFew: count === FEW }) })),
			);
		}
	});
});

test('the table in the documentation is the policy', () => {
	const document = fileURLToPath(
		new URL('../../../../../docs/src/content/docs/builds/failures.md', import.meta.url),
	);
	// The formatter makes columns as wide as their longest cell.
	const unpadded = (text: string) => text.replace(/ +\|/g, ' |').replace(/\| -+(?= \|)/g, '| ---');
	expect(unpadded(readFileSync(document, 'utf8'))).toContain(failureTable());
});

test.each([
	[1, 1, true],
	[10, 10, true],
	[11, 11, false],
	[11, 219, false],
	[11, 220, true],
	[51, 1_014, false],
	[50, 1_014, true],
])('answers of no use for %i of %i products are few: %s', (count, of, expected) => {
	expect(areFewUnusable(count, of)).toBe(expected);
});

test.each([
	[4, 4, true],
	[5, 24, false],
	[5, 25, true],
	[20, 100, true],
	[21, 100, false],
])('%i of %i products that lost all reviews are few: %s', (count, of, expected) => {
	expect(areFewVanished(count, of)).toBe(expected);
});
