import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { createProductOutcomes } from '../../../../integration/src/outcomes/product-outcomes.js';
import { createReport as createBuildReport } from '../../../../integration/src/report/build-report.js';
import { writeReport } from '../../../../integration/src/report/write-report.js';
import { VERSION } from '../../../../integration/src/version.js';
import { NO_REQUESTS } from '../../../../integration/test/support/unit/report.js';
import { readCommand } from '../../../src/commands/read-command.js';
import { printed } from '../../support/command.js';

const BUILT_AT = Date.parse('2026-11-21T12:00:00Z');

function createReport() {
	const folder = createFolder();
	const file = join(folder, 'product-reviews-report.json');
	const outcomes = createProductOutcomes();
	outcomes.reviews.settle('p-1', 'fetched');
	outcomes.reviews.settle('p-2\u001b[31m', 'stale', '503\n\u202e');
	const parts = {
		requests: { ...NO_REQUESTS, total: 2 },
		ms: 9_000,
		fetchMs: 1_000,
		pages: { withReviews: 2 },
		store: { bytes: 1, pruned: 0 },
		audit: { pages: 0, findings: [] },
	};
	writeReport(file, createBuildReport({ ...parts, outcomes, pagesOf: () => [], now: BUILT_AT }));
	return {
		file,
		report: (...args: string[]) => printed(join(folder, 'any.db'), ['report', ...args], BUILT_AT + 120_000),
	};
}

test('says which build it is of, how it went, and for which products the service failed', () => {
	expect(createReport().report().replace(VERSION, '<version>')).toMatchInlineSnapshot(`
		"Built at 2026-11-21T12:00:00.000Z (2 min ago) with version <version>
		2 products in 1.0 s: 1 fetched, 1 stale
		2 requests (0 for reviews), 0 B
		2 pages with reviews
		Store: 1 B
		Report: "product-reviews-report.json"
		The service failed for:
		  stale "p-2[31m" 503
		"
	`);
});

test('says of a build that asked for nothing that it did', () => {
	const folder = createFolder();
	const parts = {
		requests: NO_REQUESTS,
		ms: 9_000,
		pages: { withReviews: 2 },
		store: { bytes: 1, pruned: 0 },
		audit: { pages: 0, findings: [] },
	};
	const outcomes = createProductOutcomes();
	const report = createBuildReport({ ...parts, outcomes, pagesOf: () => [], now: BUILT_AT });
	writeReport(join(folder, 'product-reviews-report.json'), report);
	expect(printed(join(folder, 'any.db'), ['report'], BUILT_AT)).toContain(
		'\nNo page and no list asked for reviews.\n',
	);
});

test('--json prints all of it', () => {
	const { file, report } = createReport();
	expect(JSON.parse(report('--json'))).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});

test('what is hostile in it does not reach a terminal', () => {
	const { file, report } = createReport();
	const written = JSON.parse(readFileSync(file, 'utf8')) as object;
	const hostile = { ...written, version: '\u009b2J\u001b[31m', builtAt: '\u202e', more: '\u009b\u202e' };
	writeFileSync(file, JSON.stringify(hostile));
	for (const character of ['\u001b', '\u009b', '\u202e']) {
		expect(report()).not.toContain(character);
		expect(report('--json')).not.toContain(character);
	}
	expect(JSON.parse(report('--json'))).toEqual(hostile);
});

test('--html writes a page for people, beside the report or at the given path', () => {
	const { file, report } = createReport();
	const folder = dirname(file);
	expect(report('--html')).toMatch(/^Wrote "product-reviews-report\.html", [\d.]+ KB\n$/);
	expect(readFileSync(join(folder, 'product-reviews-report.html'), 'utf8')).toContain('1 stale answer');
	expect(report('--html', 'other.html')).toMatch(/^Wrote "other\.html", /);
	expect(readFileSync(join(folder, 'other.html'), 'utf8')).toContain('503');
	expect(() => report('--html', 'no/such/folder.html')).toThrow(
		'The page could not be written to "no/such/folder.html": open failed with ENOENT.',
	);
	const { audit, ...older } = JSON.parse(readFileSync(file, 'utf8'));
	expect(audit).toBeDefined();
	writeFileSync(file, JSON.stringify(older));
	expect(() => report('--html')).toThrow('does not have the form that version');
});

test.each([
	[['report', '--html', 'p-1'], '--html takes the path of a file that ends with .html, not "p-1".'],
	[['report', '--html', 'a.html', 'b.html'], '--html takes one file, but "b.html" was given as well.'],
	[['report', '--html', '--json'], 'Give either --html or --json, not both.'],
	[['store', 'ls', '--html'], '"store ls" has no option --html.'],
])('%j is refused', (args, message) => {
	expect(() => readCommand(args)).toThrow(message);
});

test('a report that is missing or none is an error', () => {
	expect(() => printed(join(createFolder(), 'any.db'), ['report'])).toThrow(
		'There is no report at "product-reviews-report.json".',
	);
	const { file, report } = createReport();
	for (const text of ['', 'null', '[]', '{', '{"version":1}']) {
		writeFileSync(file, text);
		expect(() => report()).toThrow('is not a build report');
	}
});
