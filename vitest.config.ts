import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * More than there are processors on a small machine: tests that wait, for npm or for a timeout, leave theirs to others.
 * Vitest runs projects beside each other only if they have the same number.
 */
const WORKERS = 4;

/** How long `expect.poll` waits for what a test says will happen: how fast is said by tests that measure it. */
const PATIENCE = { poll: { timeout: 60_000 } };

/** Tests of the commands load the same modules of the integration as the code that they test. */
const alias = [
	{
		find: /^astro-product-reviews\/internal\/(.*)$/,
		replacement: fileURLToPath(new URL('packages/integration/src/internal/$1.ts', import.meta.url)),
	},
];

/** One project a kind of test: `npx vitest run --project unit`, `redis`, `build`, `hard`, `packed`, `browser`, `stores`. */
export default defineConfig({
	test: {
		sequence: { sequencer: LongestFirst },
		projects: [
			{
				test: {
					name: 'redis',
					expect: PATIENCE,
					include: ['packages/webhook/test/redis/**/*.test.ts'],
					testTimeout: 120_000,
					hookTimeout: 60_000,
					maxWorkers: WORKERS,
				},
			},
			{
				resolve: { alias },
				test: {
					name: 'unit',
					expect: PATIENCE,
					include: [
						'packages/*/test/unit/**/*.test.ts',
						'test/unit/**/*.test.ts',
						'docs/test/unit/**/*.test.ts',
					],
					testTimeout: 90_000,
					maxWorkers: 3,
					// What is tested has no state of its own that outlives a test, so files can share a process.
					isolate: false,
				},
			},
			{
				test: {
					name: 'build',
					expect: PATIENCE,
					include: ['packages/integration/test/build/**/*.test.ts'],
					// The processes that build are kept for the next file.
					isolate: false,
					testTimeout: 240_000,
					hookTimeout: 120_000,
					maxWorkers: WORKERS,
				},
			},
			{
				// What takes long: processes that are killed, disks that are full, a service that fails all the time.
				test: {
					name: 'hard',
					expect: PATIENCE,
					include: ['packages/integration/test/hard/**/*.test.ts'],
					isolate: false,
					testTimeout: 240_000,
					hookTimeout: 120_000,
					maxWorkers: WORKERS,
				},
			},
			{
				// Measures, so nothing runs beside it.
				test: {
					name: 'packed',
					expect: PATIENCE,
					globalSetup: ['test/support/pack-packages.ts'],
					include: ['test/packed/**/*.test.ts'],
					testTimeout: 120_000,
					hookTimeout: 300_000,
				},
			},
			{
				// Installs packages from npm, which mostly waits.
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
					include: [
						'packages/integration/test/browser/**/*.test.ts',
						'playground/test/{browser,markup}/**/*.test.ts',
						'docs/test/browser/**/*.test.ts',
					],
					testTimeout: 120_000,
					hookTimeout: 180_000,
					maxWorkers: WORKERS,
				},
			},
		],
	},
});
