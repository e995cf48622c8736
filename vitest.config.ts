import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** More than there are processors on a small machine: tests that wait, for npm or a server, leave theirs to others. */
const WORKERS = 4;

/** How long `expect.poll` waits for what a test says will happen: how fast is said by tests that measure it. */
const PATIENCE = { poll: { timeout: 60_000 } };

/** Other projects run what measures, and packages that a test installs beside itself are not ours to test. */
const MEASURES = ['**/node_modules/**', '**/*.measure.test.ts'];
const SLOW_OR_MEASURES = [...MEASURES, '**/*.slow.test.ts'];

/** Files that take long. Those that install packages, and those whose servers share a Redis, mostly wait. */
const LONG =
	/\/test\/(?:stores|golden|redis|markup)\/|\.slow\.test\.|\/hard\/(?!upload)|\/build\/(?:provider|recipes|types)\.|\/docs\/test\/browser\//;

/** Starts long files first: the last one would otherwise run alone. */
class LongFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
		return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
	}
}

const UNITS = ['packages/*/test/unit', 'test/unit', 'docs/test/unit'];

/**
 * A project for each kind of test, known by folder and file name alone. `npm test` runs `unit` and `smoke`, which need Node and
 * npm and no other program; `npm run test:all` runs all of them.
 */
export default defineConfig({
	test: {
		sequence: { sequencer: LongFirst },
		projects: [
			{
				test: {
					name: 'unit',
					expect: PATIENCE,
					include: UNITS.map((folder) => `${folder}/**/*.test.ts`),
					exclude: SLOW_OR_MEASURES,
					testTimeout: 60_000,
					maxWorkers: WORKERS,
					// Tested code has no state of its own that outlives a test, so files can share a process.
					isolate: false,
				},
			},
			{
				// One real build or more for each promise of the README.
				test: {
					name: 'smoke',
					expect: PATIENCE,
					include: ['packages/integration/test/smoke/**/*.test.ts'],
					// The processes that build are kept for the next file.
					isolate: false,
					testTimeout: 120_000,
					hookTimeout: 120_000,
					maxWorkers: WORKERS,
				},
			},
			{
				test: {
					name: 'slow',
					expect: PATIENCE,
					include: UNITS.map((folder) => `${folder}/**/*.slow.test.ts`),
					isolate: false,
					testTimeout: 600_000,
					maxWorkers: WORKERS,
				},
			},
			{
				// Time, processor time or memory is asserted here, so nothing runs beside it.
				test: {
					name: 'measure',
					expect: PATIENCE,
					include: ['{packages,test,docs,playground}/**/*.measure.test.ts'],
					testTimeout: 240_000,
					hookTimeout: 240_000,
					maxWorkers: 1,
				},
			},
			{
				test: {
					name: 'redis',
					expect: PATIENCE,
					include: ['packages/webhook/test/redis/**/*.test.ts'],
					exclude: MEASURES,
					testTimeout: 120_000,
					hookTimeout: 60_000,
					maxWorkers: WORKERS,
				},
			},
			{
				test: {
					name: 'build',
					expect: PATIENCE,
					include: ['packages/integration/test/build/**/*.test.ts'],
					exclude: MEASURES,
					isolate: false,
					testTimeout: 240_000,
					hookTimeout: 120_000,
					maxWorkers: WORKERS,
				},
			},
			{
				// Processes that are killed, disks that are full, a service that fails all the time.
				test: {
					name: 'hard',
					expect: PATIENCE,
					include: ['packages/integration/test/hard/**/*.test.ts'],
					exclude: MEASURES,
					isolate: false,
					testTimeout: 240_000,
					hookTimeout: 120_000,
					maxWorkers: WORKERS,
				},
			},
			{
				// Everything that a site shows or prints, compared with a recorded copy.
				test: {
					name: 'golden',
					include: ['test/golden/**/*.test.ts'],
					testTimeout: 240_000,
					hookTimeout: 240_000,
					maxWorkers: WORKERS,
				},
			},
			{
				// Real review services, installed from npm: minutes each. `npm run test:services` runs them, and nothing else does.
				test: {
					name: 'services',
					expect: PATIENCE,
					include: ['packages/integration/test/services/*.test.ts'],
					testTimeout: 900_000,
					hookTimeout: 120_000,
					maxWorkers: 1,
				},
			},
			{
				// Installs the packed packages from npm, which mostly waits.
				test: {
					name: 'stores',
					expect: PATIENCE,
					globalSetup: ['test/support/pack-packages.ts'],
					include: ['test/stores/*.test.ts'],
					testTimeout: 240_000,
					hookTimeout: 400_000,
					maxWorkers: WORKERS,
				},
			},
			{
				test: {
					name: 'browser',
					expect: PATIENCE,
					globalSetup: ['packages/integration/test/support/browser/store-css.ts'],
					include: [
						'packages/integration/test/browser/**/*.test.ts',
						'playground/test/{browser,markup}/**/*.test.ts',
						'docs/test/browser/**/*.test.ts',
					],
					exclude: MEASURES,
					testTimeout: 120_000,
					hookTimeout: 180_000,
					maxWorkers: WORKERS,
				},
			},
		],
	},
});
