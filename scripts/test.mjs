// Runs the tests that need Node and npm alone: types of code, units and smoke tests. With --all it runs the rest as well, and with --rest
// only the rest. All other arguments are Vitest's; with a path it runs the tests there, of whatever kind. Ends with one line
// that adds them up.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Projects of `vitest.config.ts` that run beside each other, with the types. */
const QUICK = [['unit', 'smoke']];
/** Tests that measure run alone. */
const REST = [['measure'], ['slow', 'build', 'hard', 'golden', 'redis', 'browser', 'stores']];

const LAYERS = ['--all', '--rest'];
const given = process.argv.slice(2).filter((argument) => !LAYERS.includes(argument));
const isRest = process.argv.includes('--rest');
const isAll = process.argv.includes('--all') || given.length > 0;
const stages = [...(isRest ? [] : QUICK), ...(isRest || isAll ? REST : [])];

const folder = mkdtempSync(join(tmpdir(), 'product-reviews-test-'));
const totals = { passed: 0, failed: 0, skipped: 0 };
const results = [];

/**
 * Of what Node compiles, for the hundreds of processes that load the same programs. It is where Astro keeps its own, which
 * it does not where `CI` is set.
 */
const NODE_COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');

const types = isRest ? undefined : startTypes();
for (const projects of stages) {
	const file = join(folder, `${projects[0]}.json`);
	const { status } = spawnSync(
		process.execPath,
		[
			'node_modules/vitest/vitest.mjs',
			'run',
			...projects.flatMap((project) => ['--project', project]),
			'--reporter=default',
			'--reporter=json',
			`--outputFile.json=${file}`,
			// Where some files are named, most stages have none of them.
			...(given.length > 0 ? ['--passWithNoTests', ...given] : []),
		],
		{ stdio: 'inherit', env: { NODE_COMPILE_CACHE, ...process.env } },
	);
	const report = read(file);
	results.push(...report.testResults);
	totals.passed += report.numPassedTests;
	totals.skipped += report.numPendingTests;
	// A runner that ends badly without a failed test (an error outside of any test, or no report) has failed all the same.
	totals.failed += report.numFailedTests === 0 && status !== 0 ? 1 : report.numFailedTests;
}

const hasNoTest = results.length === 0 && totals.failed === 0;
if (hasNoTest) totals.failed += 1;

const areTypesRight = await types;
if (areTypesRight !== undefined) totals[areTypesRight ? 'passed' : 'failed'] += 1;

rmSync(folder, { recursive: true, force: true });
// Again, since thousands of lines may have come after them.
for (const failure of failures()) console.log(`Failed: ${failure}`);
if (hasNoTest) console.log(`Failed: no test file matches ${given.join(' ')}`);
if (areTypesRight === false) console.log('Failed: types');
for (const [missing, count] of countMissing()) console.log(`Skipped ${count} tests of ${missing}`);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;

/** @returns whether all types are right. What is wrong is printed. */
async function startTypes() {
	const child = spawn(process.execPath, ['scripts/types.mjs', '--code'], { stdio: 'inherit' });
	const [code] = await once(child, 'exit');
	return code === 0;
}

function read(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return { testResults: [], numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
	}
}

/** Each test that failed, and each file without one that failed, with the first line of why. */
function* failures() {
	for (const { name, status, message, assertionResults } of results) {
		const failed = assertionResults.filter((test) => test.status === 'failed');
		const file = relative(process.cwd(), name);
		for (const { fullName, failureMessages } of failed) {
			yield `${file} > ${fullName}: ${firstLine(failureMessages[0])}`;
		}
		if (status === 'failed' && failed.length === 0) yield `${file}: ${firstLine(message)}`;
	}
}

function firstLine(text = '') {
	return text.split('\n', 1)[0];
}

/** How many tests were skipped for each program that is not there. */
function countMissing() {
	const counts = new Map();
	for (const { meta } of results.flatMap(({ assertionResults }) => assertionResults)) {
		if (meta?.missing) counts.set(meta.missing, (counts.get(meta.missing) ?? 0) + 1);
	}
	return counts;
}
