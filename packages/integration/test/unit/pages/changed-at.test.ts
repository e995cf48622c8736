import { expect, test } from 'vitest';
import { changedAtOf } from '../../../src/pages/changed-at.js';
import type { Dependency } from '../../../src/pages/dependency.js';
import { digestOf } from '../../../src/store/pack.js';

const BEFORE = 1;
const NOW = 2;
const fragment = (pid: string, html: string, version: string): Dependency => ({
	pid,
	from: 'reviews',
	version,
	request: { component: 'ProductReviews', props: {} },
	digest: digestOf(html),
});
const own = (pid: string, version: string): Dependency => ({ pid, from: 'reviews', version });

const shown = [fragment('a', '<p>A', 'v1'), fragment('b', '<p>B', 'v1'), own('c', 'v1')];
const changedAt = (dependencies: readonly Dependency[], known: number | undefined = BEFORE) =>
	changedAtOf({ dependencies: shown, changedAt: known }, dependencies, NOW);

test('a page that the store does not know has no time: its reviews may be of any age', () => {
	expect(changedAtOf(undefined, shown, NOW)).toBeUndefined();
});

test('the time stays as long as the page shows the same reviews, in whatever order', () => {
	expect(changedAt(shown)).toBe(BEFORE);
	expect(changedAt(shown.toReversed())).toBe(BEFORE);
	expect(changedAtOf({ dependencies: shown }, shown, NOW)).toBeUndefined();
});

test('a review of which the page shows nothing changes nothing', () => {
	expect(changedAt([fragment('a', '<p>A', 'v2'), ...shown.slice(1)])).toBe(BEFORE);
});

test('other html of the same reviews is no change of them: a price, a label, a version of this package', () => {
	expect(changedAt([fragment('a', '<div>A', 'v1'), fragment('b', '<div>B', 'v1'), own('c', 'v1')])).toBe(
		BEFORE,
	);
});

test.each([
	['a new review', [fragment('a', '<p>AA', 'v2'), ...shown.slice(1)]],
	['the last one gone', [fragment('a', '', 'v2'), ...shown.slice(1)]],
	['another product', [...shown, fragment('d', '<p>D', 'v1')]],
	['one product less', shown.slice(1)],
	['own markup with other reviews', [...shown.slice(0, 2), own('c', 'v2')]],
])('%s is a change, even of a page whose time was unknown', (_what, dependencies) => {
	expect(changedAt(dependencies)).toBe(NOW);
	expect(changedAtOf({ dependencies: shown }, dependencies, NOW)).toBe(NOW);
});

test('another product without reviews is none', () => {
	expect(changedAt([...shown, fragment('d', '', 'v1')])).toBe(BEFORE);
});
