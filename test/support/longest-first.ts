import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that mostly wait, beside which others have the processors, and those that take minutes on two cores: started last,
 * they would be waited for alone.
 */
const LONGEST = [
	'adapters',
	'astro-6',
	'older-astro',
	'store-css',
	'worker-threads',
	'dev-week',
	'long-life',
	'outage',
	'processes',
	'locked-store',
	'incremental-catalogue',
	'review-data',
	'revalidation',
	'reviews-collection',
	'faults-under-load',
	'incremental',
	'published-review',
	'killed-build',
	'site-shapes',
	'failures',
	'report',
	'unusable-store',
	'full-disk',
	'audit',
	'review-section',
	'shop',
	'hostile-jsonld',
	'hostile-html-raw',
	'killed-process',
].map((name) => `/${name}.test.ts`);

/** Runs the longest tests first: Vitest knows how long they take from the run before, which a clean checkout never had. */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification) => {
			const found = LONGEST.findIndex((name) => moduleId.endsWith(name));
			return found < 0 ? LONGEST.length : found;
		};
		const sorted = await super.sort(files);
		return sorted.sort((one, other) => place(one) - place(other));
	}
}
