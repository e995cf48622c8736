import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { createProductOutcomes } from '../../../src/outcomes/product-outcomes.js';
import { removeReport, reportBuild } from '../../../src/report/report-build.js';
import { NO_REQUESTS } from '../../support/unit/report.js';

test('a report that can neither be removed nor written costs a warning, never the build', () => {
	const file = join(createFolder(), 'report.json');
	mkdirSync(file);
	const lines: string[] = [];
	const warnings: string[] = [];
	const outcomes = createProductOutcomes();
	outcomes.reviews.settle('p-1', 'fetched');
	removeReport(file);
	reportBuild({
		file,
		storeFile: join(file, 'none.db'),
		pruned: 0,
		outcomes,
		requests: NO_REQUESTS,
		pagesOf: () => [],
		ms: 1_000,
		now: 0,
		pages: { withReviews: 0 },
		audit: { pages: 0, findings: [] },
		logger: { info: (line) => lines.push(line), warn: (line) => warnings.push(line) },
	});
	expect(lines.slice(3)).toEqual(['Store: in memory only', 'Report: not written']);
	expect(warnings).toEqual([
		'The report could not be written: rename failed with EISDIR. The build goes on.',
	]);
});
