import { crc32 } from 'node:zlib';
import type { Finding } from '../audit/audit.js';
import type { StoredData } from '../render/component.js';
import type { FragmentRequest } from '../render/fragment.js';
import { digestOf } from '../store/values.js';
import type { Place } from './marks.js';

/**
 * One thing that a page shows about a product. A page is current as long as each of its fragments would be written the
 * same, and the data that its own markup requested is unchanged.
 */
export interface Dependency {
	readonly pid: string;
	/** The kind of data that it was taken from. */
	readonly from: keyof StoredData;
	/** Version of that data. If it is unchanged, so is everything that depends on it. */
	readonly version: string | undefined;
	/** Request of the fragment; `undefined` for data that the page's own markup requested. */
	readonly request?: FragmentRequest;
	/** Digest of the fragment's html, or of the rating that the page's own markup requested. */
	readonly digest?: string;
}

/** What the store keeps about a page. */
export interface StoredPage {
	/** Identifies the last rendering; `undefined` if the page has no key in an incremental build. */
	readonly generation?: string | undefined;
	/** Path of the page's address, in readable form. */
	readonly address: string;
	readonly dependencies: readonly Dependency[];
	/** When the reviews on it last changed, in milliseconds since 1970; `undefined` if this is unknown. */
	readonly changedAt?: number | undefined;
	/** Findings of the audit; omitted if it was not audited. */
	readonly findings?: readonly Finding[] | undefined;
	/** The page's file, and where its fragments are; `null` if they cannot be replaced there, omitted if it is unknown. */
	readonly file?: PlacedFragments | null | undefined;
	/** The page as it will be after a publish that has not finished yet. Its file is either this or the one above. */
	readonly next?: Omit<StoredPage, 'next'> | undefined;
}

/** The file of a page, and where its fragments are. */
export interface PlacedFragments extends FileProof {
	readonly places: readonly Place[];
}

/** Tells the contents of a file from all others. */
export interface FileProof {
	/** In bytes. */
	readonly size: number;
	/** CRC-32 of the contents. */
	readonly checksum: number;
}

/** The proof of these contents. */
export function proveFile(contents: Buffer): FileProof {
	return { size: contents.length, checksum: crc32(contents) };
}

export function isSameProof(one: FileProof, other: FileProof): boolean {
	return one.size === other.size && one.checksum === other.checksum;
}

/** The products that a page shows something of. */
export function productsOf({ dependencies }: Pick<StoredPage, 'dependencies'>): readonly string[] {
	return [...new Set(dependencies.map(({ pid }) => pid))];
}

interface Route {
	/** Path of the file that renders the page. */
	readonly component: string;
}

/** The name of a page, from its path in `getStaticPaths`, which does not include the site's base. */
export function nameOfPath(route: Route, pathname: string): string {
	return nameOf(route, pathname);
}

/**
 * The name of a page, from the address at which it is rendered, which depends on the site's base and format.
 * @param address path, in readable form.
 */
export function nameOfAddress(route: Route, address: string, base: string): string {
	return nameOf(route, afterBase(address, base));
}

/** The path of a request's address, in readable form. */
export function addressOf(request: Request): string {
	return readablePath(new URL(request.url).pathname);
}

/** A path without percent-encoding where possible. */
export function readablePath(pathname: string): string {
	try {
		return decodeURI(pathname);
	} catch {
		return pathname;
	}
}

/** The part of an address after the site's base, without slashes at its ends: empty for the home page. */
export function pathAfterBase(address: string, base: string): string {
	return afterBase(address, base).replace(/^\/|\/$/g, '');
}

/**
 * What identifies a page by its full address, however that ends: Astro's `trailingSlash` and `build.format` decide about it.
 * @returns `undefined` for what is not an address.
 */
export function keyOfAddress(address: string): string | undefined {
	const url = URL.parse(address);
	return url ? `${url.origin}/${withoutEnd(readablePath(url.pathname))}${url.search}${url.hash}` : undefined;
}

/**
 * The full address of a page, encoded as in links and sitemaps.
 * @param address path of its address, in readable form.
 */
export function fullAddress(address: string, site: string): string {
	const url = new URL('/', site);
	url.pathname = address.replace(ENCODED_AGAIN, encodeURIComponent);
	return url.href;
}

/** What is not encoded in readable form, and would be read as something else. */
const ENCODED_AGAIN = /%(?!2[3-46BCF]|3[ABDF]|40)|\\/gi;

function afterBase(address: string, base: string): string {
	return address.slice(readablePath(base).replace(/\/$/, '').length);
}

function nameOf({ component }: Route, pathname: string): string {
	return `${component} ${withoutEnd(pathname)}`;
}

function withoutEnd(pathname: string): string {
	return pathname.replace(/^\/|\/$/g, '').replace(/(?:^|\/)index\.html$|\.html$/, '');
}

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
