import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { digestOf } from '../base/digest.js';
import { fileNames, fullAddress } from '../base/paths.js';
import type { Dependency, StoredPage } from '../cache/page-store.js';
import type { Resource } from '../records/parts.js';
import type { Fragment } from '../render/fragment.js';

/** Components that show the texts of reviews, or mark them up. */
const SHOWING = new Set(['ReviewSchema', 'ProductReviews', 'ReviewList', 'ReviewSection']);

/** The products whose reviews a page shows, and the data that it shows them from. */
export function shownOn(page: Pick<StoredPage, 'dependencies' | 'facts'>): ReadonlyMap<string, Resource> {
	const shown = new Map<string, Resource>();
	const show = (pid: string, from: Resource) => {
		if (shown.get(pid) !== 'review-data') shown.set(pid, from);
	};
	for (const { pid, from, request } of page.dependencies)
		if (request && SHOWING.has(request.component) && from !== 'rating' && from !== 'shop') show(pid, from);
	// A list with a function among its props has no request.
	for (const { pid, component } of page.facts) {
		if (component === 'ReviewList') show(pid, 'review-data');
		if (component === 'ProductReviews') show(pid, 'reviews');
	}
	return shown;
}

export function digestOfFragment({ html, parts }: Pick<Fragment, 'html' | 'parts'>): string {
	return digestOf(parts ? JSON.stringify(parts) : html);
}

/** Returns whether a file holds this, and can hold nothing else. */
export function holdsOnly(held: readonly string[] | undefined, digest: string): boolean {
	return held?.length === 1 && held[0] === digest;
}

/** Returns the canonical address of a page: the one in its structured data, or else where its file is. */
export function canonicalAddress(
	{ address, dependencies }: Pick<StoredPage, 'address' | 'dependencies'>,
	site: string,
): string {
	const stated = dependencies.flatMap(({ request }) => request?.address ?? []);
	return stated[0] ?? fullAddress(address, site);
}

/** Returns the paths that the file of a page may have, relative to the folder of the pages. */
export function pageFiles({ address, file }: StoredPage, base: string): readonly string[] {
	return file === undefined ? fileNames(address, base) : [file];
}

/** Returns a name for one rendering of a page. */
export function newGeneration(): string {
	return randomBytes(9).toString('base64url');
}

/** The products of what a page shows, each once. */
export function productsOf(shown: readonly { readonly pid: string }[]): readonly string[] {
	return [...new Set(shown.map(({ pid }) => pid))];
}

/**
 * Returns when the reviews on a page last changed; `undefined` if this is unknown, as for a page that was never rendered
 * before: its reviews may be of today, or of last year. They change if the page shows something else, and if so because
 * of other data: a new price, label or version of this package changes the html of reviews, but no review.
 */
export function changedAtOf(
	before: Pick<StoredPage, 'dependencies' | 'changedAt'> | undefined,
	dependencies: readonly Dependency[],
	now: number,
): number | undefined {
	if (!before) return undefined;
	const isSame = (describe: (dependency: Dependency) => string | undefined) =>
		isDeepStrictEqual(textsOf(before.dependencies, describe), textsOf(dependencies, describe));
	return isSame(contentsOf) || isSame(dataOf) ? before.changedAt : now;
}

/** Digest of a fragment without reviews. */
const NOTHING = digestOf('');

function contentsOf({ pid, from, version, held }: Dependency): string | undefined {
	if (holdsOnly(held, NOTHING)) return undefined;
	return JSON.stringify(held === undefined ? [pid, from, version] : [pid, held]);
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
