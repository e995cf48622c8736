// Runs every kind of test and ends with one line that adds them up.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'product-reviews-test-'));
const totals = { passed: 0, failed: 0, skipped: 0 };

/** Measurements are alone; others run beside tests that mostly wait. */
for (const projects of [['packed'], ['unit'], ['build', 'hard', 'redis'], ['browser', 'stores']]) {
	const report = join(folder, `${projects[0]}.json`);
	const { status } = spawnSync(
		process.execPath,
		[
			'node_modules/vitest/vitest.mjs',
			'run',
			...projects.flatMap((project) => ['--project', project]),
			'--reporter=default',
			'--reporter=json',
			`--outputFile.json=${report}`,
			...process.argv.slice(2),
		],
		{ stdio: 'inherit' },
	);
	const counted = count(report);
	totals.passed += counted.passed;
	totals.skipped += counted.skipped;
	// A runner that ends badly without a failed test (an error outside of any test, or no report) has failed all the same.
	totals.failed += counted.failed === 0 && status !== 0 ? 1 : counted.failed;
}

const { status } = spawnSync(process.execPath, ['scripts/types.mjs'], { stdio: 'inherit' });
totals[status === 0 ? 'passed' : 'failed'] += 1;

rmSync(folder, { recursive: true, force: true });
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;

function count(report) {
	try {
		const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
		return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
	} catch {
		return { passed: 0, failed: 0, skipped: 0 };
	}
}
