import { expect, test } from 'vitest';
import type { Dependency } from '../../../src/pages/page.js';
import { changedAtOf } from '../../../src/pages/page.js';
import { digestOf } from '../../../src/store/values.js';

const BEFORE = 1;
const NOW = 2;
const own = (pid: string, version: string): Dependency => ({ pid, from: 'reviews', version });
const fragment = (pid: string, html: string, version: string): Dependency => ({
	...own(pid, version),
	request: { component: 'ProductReviews', props: {} },
	digest: digestOf(html),
});

const shown = [fragment('a', '<p>A', 'v1'), fragment('b', '<p>B', 'v1'), own('c', 'v1')];
const [, ...others] = shown;
const RENDERED_ANEW = [fragment('a', '<div>A', 'v1'), fragment('b', '<div>B', 'v1'), own('c', 'v1')];

test('a page that the store does not know has no time: its reviews may be of any age', () => {
	expect(changedAtOf(undefined, shown, NOW)).toBeUndefined();
});

test.each<[string, Dependency[], boolean]>([
	['the same reviews', shown, false],
	['the same in another order', shown.toReversed(), false],
	['a review of which the page shows nothing', [fragment('a', '<p>A', 'v2'), ...others], false],
	['other html of the same reviews: a price, a label, a version of this package', RENDERED_ANEW, false],
	['another product without reviews', [...shown, fragment('d', '', 'v1')], false],
	['a new review', [fragment('a', '<p>AA', 'v2'), ...others], true],
	['the last one gone', [fragment('a', '', 'v2'), ...others], true],
	['another product', [...shown, fragment('d', '<p>D', 'v1')], true],
	['one product less', others, true],
	['own markup with other reviews', [...shown.slice(0, 2), own('c', 'v2')], true],
])('the time of a page is that of its last change: %s', (_what, dependencies, isChange) => {
	const before = { dependencies: shown };
	expect(changedAtOf({ ...before, changedAt: BEFORE }, dependencies, NOW)).toBe(isChange ? NOW : BEFORE);
	expect(changedAtOf(before, dependencies, NOW)).toBe(isChange ? NOW : undefined);
});
