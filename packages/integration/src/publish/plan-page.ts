import { type Dependency, proveFile, type StoredPage } from '../pages/page.js';
import { newGeneration } from '../pages/page-keys.js';
import type { Fragment } from '../render/fragment.js';

/** What a page shows of its dependencies now. */
export interface CurrentContents {
	/** Whether this is known, because the service did not fail. */
	isKnown(dependency: Dependency): Promise<boolean>;
	versionOf(dependency: Dependency): Promise<string | undefined>;
	/** Whether the data that the page's own markup requested is the same. */
	isSameData(dependency: Dependency): Promise<boolean>;
	fragmentOf(dependency: Dependency): Promise<{ readonly fragment: Fragment; readonly digest: string }>;
}

/**
 * What has to be done to a page: nothing to its file, new html at some of its places, or a rebuild. `page` is the one that
 * was given if nothing that is known of it changes.
 */
export type PagePlan =
	| PageEdit
	| { readonly kind: 'rebuild'; readonly reason: string; readonly pids: readonly string[] };

/** New html at places of a page; at none if its file stays the same. */
interface PageEdit {
	readonly kind: 'same' | 'edit';
	readonly page: StoredPage;
	/** By the number of the place. */
	readonly texts: ReadonlyMap<number, Buffer>;
	/** Products whose html changes. */
	readonly pids: readonly string[];
}

/**
 * Finds out what a page shows of products that may have changed.
 * @param isConcerned whether a dependency may have changed.
 */
export async function planPage(
	page: StoredPage,
	isConcerned: (dependency: Dependency) => boolean,
	contents: CurrentContents,
): Promise<PagePlan> {
	const dependencies = [...page.dependencies];
	const texts = new Map<number, Buffer>();
	const pids = new Set<string>();
	// All are asked for together: a listing may show a hundred products.
	const known = await Promise.all(
		page.dependencies.map((dependency) => isConcerned(dependency) && contents.isKnown(dependency)),
	);
	for (const [index, dependency] of page.dependencies.entries()) {
		if (!known[index]) continue;
		const { pid, request } = dependency;
		const version = await contents.versionOf(dependency);
		if (version === dependency.version) continue;
		if (!request) {
			if (!(await contents.isSameData(dependency))) return rebuild(OWN_MARKUP, pid);
			dependencies[index] = { ...dependency, version };
			continue;
		}
		const { fragment, digest } = await contents.fragmentOf(dependency);
		dependencies[index] = { ...dependency, version, digest };
		if (digest === dependency.digest) continue;
		const found = textsOf(page, index, fragment);
		if (!found) return rebuild(page.file && request.props['slots'] ? SECTION : UNPLACED, pid);
		for (const [place, text] of found) texts.set(place, text);
		pids.add(pid);
	}
	const isSame = dependencies.every((dependency, index) => dependency === page.dependencies[index]);
	const current = isSame ? page : { ...page, dependencies };
	return { kind: texts.size === 0 ? 'same' : 'edit', page: current, texts, pids: [...pids] };
}

/** The new texts of a dependency by the number of their place; `undefined` if one has no place. */
function textsOf({ file }: StoredPage, dependency: number, { html, parts }: Fragment) {
	const texts = new Map<number, Buffer>();
	for (const [index, place] of (file?.places ?? []).entries()) {
		if (place.dependency !== dependency) continue;
		const text = place.part === undefined ? (parts ? undefined : html) : parts?.[place.part];
		if (text === undefined) return undefined;
		texts.set(index, Buffer.from(text));
	}
	return texts.size > 0 ? texts : undefined;
}

/** The contents of a page's file with new texts at its places, and the page as it then is. */
export function editPage(
	page: StoredPage,
	contents: Buffer,
	texts: ReadonlyMap<number, Buffer>,
): { readonly page: StoredPage; readonly contents: Buffer } {
	const kept: Buffer[] = [];
	let position = 0;
	let shift = 0;
	const places = (page.file?.places ?? []).map((place, index) => {
		const text = texts.get(index);
		const offset = place.offset + shift;
		if (!text) return { ...place, offset };
		kept.push(contents.subarray(position, place.offset), text);
		position = place.offset + place.length;
		shift += text.length - place.length;
		return { ...place, offset, length: text.length };
	});
	kept.push(contents.subarray(position));
	const edited = Buffer.concat(kept);
	// Astro's cache has the page as it was, so an incremental build has to render it again.
	const generation = page.generation === undefined ? undefined : newGeneration();
	return { page: { ...page, generation, file: { ...proveFile(edited), places } }, contents: edited };
}

const OWN_MARKUP = 'its own markup uses reviews that changed';
const UNPLACED = 'it changes what components write, so their html cannot be found in it';
const SECTION = 'a <ReviewSection> with slots appears or disappears';

function rebuild(reason: string, pid: string): PagePlan {
	return { kind: 'rebuild', reason, pids: [pid] };
}
