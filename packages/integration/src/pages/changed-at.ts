import { digestOf } from '../store/pack.js';
import type { Dependency } from './dependency.js';
import type { StoredPage } from './stored-page.js';

/**
 * When the reviews on a page last changed; `undefined` if this is unknown, as it is for a page that was never rendered
 * before: its reviews may be of today, or of last year. They change if the page shows something else, and if so because of
 * other data: a new price, label or version of this package changes the html of reviews, but no review.
 * @param before the page as it was last rendered.
 * @param dependencies what it shows now.
 */
export function changedAtOf(
	before: Pick<StoredPage, 'dependencies' | 'changedAt'> | undefined,
	dependencies: readonly Dependency[],
	now: number,
): number | undefined {
	if (!before) return undefined;
	const isSame = (describe: (dependency: Dependency) => string | undefined) =>
		isSameSet(textsOf(before.dependencies, describe), textsOf(dependencies, describe));
	return isSame(contentsOf) || isSame(dataOf) ? before.changedAt : now;
}

/** Digest of a fragment without reviews. */
const NOTHING = digestOf('');

/** What the page shows of the product; `undefined` for nothing. */
function contentsOf({ pid, from, version, digest }: Dependency): string | undefined {
	if (digest === NOTHING) return undefined;
	return JSON.stringify(digest === undefined ? [pid, from, version] : [pid, digest]);
}

function dataOf({ pid, from, version }: Dependency): string {
	return JSON.stringify([pid, from, version]);
}

/** In no order: components of a page may be rendered in any. */
function textsOf(
	dependencies: readonly Dependency[],
	describe: (dependency: Dependency) => string | undefined,
): ReadonlySet<string> {
	return new Set(dependencies.map(describe).filter((text) => text !== undefined));
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	return one.size === other.size && [...one].every((text) => other.has(text));
}
