import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import {
	type ResponseErrorReason,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from 'product-reviews-client';
import { sourceFilesIn } from 'product-reviews-test-support/code-size';
import { describe, expect, test } from 'vitest';
import { ERROR_CATALOGUE, type ErrorCode, type ErrorEntry } from '../../../src/errors/catalogue.js';
import { errorPage, errorReference } from '../../../src/errors/reference.js';
import { CODES_OF_KINDS, InvalidPropError, ProductReviewsConfigurationError } from '../../../src/errors.js';
import { codeOf, kindOf } from '../../../src/failures/failure-kind.js';

const PACKAGES = join(import.meta.dirname, '../../../..');
const SOURCES = ['client', 'webhook', 'integration', 'cli'].map((name) => join(PACKAGES, name, 'src'));

/** Source files by their path below `packages`. */
const files = new Map(
	SOURCES.flatMap((folder) =>
		sourceFilesIn(folder).map((name) => {
			const path = join(folder, name);
			return [normalize(path.slice(PACKAGES.length + 1)), readFileSync(path, 'utf8')] as const;
		}),
	),
);

/** Classes of errors that have a code. */
const CODED = new Set([
	...['ProductReviewsError', 'ProductReviewsConfigurationError', 'ProductListError', 'CommandError'],
	...['InvalidPropError', 'ReviewPayloadError', 'ReviewServiceError', 'ServiceThreadEndedError'],
	...['ReviewAuditError', 'ReviewsUnavailableError', 'UnsupportedVersionError', 'NoReviewSourceError'],
	...['ReviewsConfigurationError', 'ReviewsHttpError', 'ReviewsNetworkError', 'ReviewsPausedError'],
	...['ReviewsResponseError', 'ReviewsTimeoutError', 'WebhookError', 'WebhookConfigurationError'],
]);

/**
 * Errors without a code, because no user gets them as they are: something else catches them, or only a mistake in this
 * package could cause them.
 */
const INTERNAL: Readonly<Record<string, string>> = {
	'client/src/http/discard-body.ts': 'caught by the request',
	'client/src/http/redact-cause.ts': 'the cause of an error with a code',
	'client/src/http/with-time-limit.ts': 'an example',
	'integration/src/build/serve-source.ts': 'a page cannot call anything else',
	'integration/src/collections/create-text-set.ts': 'a mistake of the caller in this package',
	'integration/src/on-demand/create-live-stars.ts': 'caught there',
	'integration/src/publish/current-contents.ts': 'caught by the plan of the page',
	'integration/src/render/write-fragment.ts': 'only our components name components',
	'integration/src/runtime/create-remote-source.ts': 'an error of the build, passed on with its hint',
	'integration/src/service/create-review-service.ts': 'the reason of requests that nobody waits for',
	'integration/src/service/fetch-whole.ts': 'the cause of a network error of the client',
	'integration/src/service/restarting-thread.ts': 'the cause of the error that says so',
	'integration/src/service/service-thread.ts':
		'a module that nobody imports, and a token that the client reports',
	'integration/src/shared-storage/create-write-check.ts': 'the reason in a warning that has a code',
	'integration/src/store/codec.ts': 'a damaged row',
	'integration/src/store/open-database.ts': 'caught by whoever opens the store',
	'integration/src/store/open-existing-file.ts': 'caught by whoever opens the store',
	'integration/src/store/pack.ts': 'a damaged row',
	'webhook/src/collect/create-rebuilder.ts': 'the end of a rebuild at shutdown',
	'webhook/src/handler/receive-event.ts': 'a notice about an event that is accepted',
	'webhook/src/node/answer-event.ts': 'the sender is gone',
	'webhook/src/node/open-database.ts': 'the cause of the error with a code',
	'webhook/src/node/schema.ts': 'the cause of the error with a code',
	'webhook/src/redis/close-within.ts': 'the end of a rebuild at shutdown',
	'webhook/src/redis/process-job.ts': 'for BullMQ only',
};

/** Every place that makes an error. */
const sites = [...files].flatMap(([path, text]) =>
	[...text.matchAll(/\bnew ([A-Z]?\w*Error)\b/g)].map(([, name = '']) => ({ path, name })),
);
const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe('every error', () => {
	test('has a code, or is internal', () => {
		const without = sites.filter(({ path, name }) => !CODED.has(name) && !(path in INTERNAL));
		expect(without).toEqual([]);
	});

	test('that is called internal is there', () => {
		const plain = new Set(sites.filter(({ name }) => !CODED.has(name)).map(({ path }) => path));
		expect(Object.keys(INTERNAL).filter((path) => !plain.has(path))).toEqual([]);
	});

	test('uses a code of the catalogue', () => {
		const used = [...files].flatMap(([path, text]) =>
			[...text.matchAll(/\bPR_[A-Z_]+\b/g)].map(([code]) => ({ path, code })),
		);
		expect(used.filter(({ code }) => !(code in ERROR_CATALOGUE))).toEqual([]);
	});
});

test('every code of the catalogue is used', () => {
	const text = [...files]
		.filter(([path]) => !path.startsWith(normalize('integration/src/errors/')))
		.map(([, contents]) => contents)
		.join('\n');
	expect(codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(text))).toEqual([]);
});

test.each(codes)('%s says what happened and what to do', (code) => {
	const { title, happened, remedy }: ErrorEntry = ERROR_CATALOGUE[code];
	expect(title).toMatch(/^\S.*[^.]$/);
	for (const sentence of [happened, remedy]) expect(sentence).toMatch(/^\S.{15,}\.$/);
});

describe('a message', () => {
	test('has the code, and a hint that ends with its page', () => {
		const error = new ProductReviewsConfigurationError('PR_NOT_CONFIGURED', 'Not set.', 'Set it.');
		expect(error).toMatchObject({ code: 'PR_NOT_CONFIGURED', message: 'Not set.' });
		expect(error.hint).toBe(`Set it.\n${errorReference('PR_NOT_CONFIGURED')}`);
		expect(errorReference('PR_NOT_CONFIGURED')).toBe(
			'PR_NOT_CONFIGURED: https://astro-product-reviews.github.io/errors/#pr_not_configured',
		);
	});

	test('about a prop is a TypeError with a hint', () => {
		const error = new InvalidPropError('Expected a number.');
		expect(error).toBeInstanceOf(TypeError);
		expect(error.hint).toContain(errorPage('PR_INVALID_PROP'));
	});

	test('never lacks a hint', () => {
		const empty = [...files].filter(([, text]) => /new \w+Error\(\s*'PR_\w+',[^,]+,\s*(''|""|``)/.test(text));
		expect(empty).toEqual([]);
	});
});

describe('the client and the integration name a failure with the same code', () => {
	const details = { operation: 'crawlerReviews' as const, pids: ['p-1'] };

	test('for every status', () => {
		const statuses = Array.from({ length: 1_000 }, (_, status) => status);
		const errors = statuses.map((status) => new ReviewsHttpError('', { ...details, status }));
		expect(errors.map(codeOf)).toEqual(errors.map((error) => CODES_OF_KINDS[kindOf(error)]));
	});

	test.each([
		...['redirect', 'foreign', 'wrong-product', 'schema', 'not-json', 'too-large'].map(
			(reason) => new ReviewsResponseError('', { reason: reason as ResponseErrorReason }),
		),
		new ReviewsNetworkError(''),
		new ReviewsTimeoutError('', { scope: 'try', limit: 1 }),
		new ReviewsPausedError('', { until: 0, reason: 'retry-after' }),
	])('%o', (error) => {
		expect(error.code).toBe(CODES_OF_KINDS[kindOf(error)]);
	});
});
