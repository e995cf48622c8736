import { join } from 'node:path';
import { addressOfFile, markdownFile, nameOfAddress, readablePath } from '../base/paths.js';
import { cleanLine } from '../base/words.js';
import type { Dependency, PageStore, StoredPage } from '../cache/page-store.js';
import type { ProductData } from '../pages/build-source.js';
import { canonicalAddress, shownOn } from '../pages/page-row.js';
import { UNKNOWN_PAGE } from '../pages/page-source.js';
import { writeText } from '../project/files.js';
import { addressFragment } from '../render/address.js';
import type { FragmentRequest } from '../render/fragment.js';
import { markdownFileText } from '../render/markdown.js';

/** Longest name of a product, in UTF-16 code units. */
const MAX_LETTERS = 200;

/**
 * Lists what the Markdown file of a page shows: each product whose reviews the page shows, once, with the name that the page gives
 * it. What is on the file does not depend on the reviews themselves, so a product may get its first one, or lose its last.
 */
function markdownOf(
	page: Pick<StoredPage, 'address' | 'dependencies' | 'facts'>,
	site: string | undefined,
): readonly Dependency[] {
	const address = site && canonicalAddress(page, site);
	return [...shownOn(page)].map(([pid, from]) => {
		const requests = page.dependencies.flatMap(({ pid: of, request }) => (of === pid && request) || []);
		const own = requests.find(({ component }) => component === 'ReviewSchema')?.props['product'];
		const { name: given } = (own ?? {}) as { readonly name?: unknown };
		const name = typeof given === 'string' ? cleanLine(given, MAX_LETTERS) : undefined;
		const language = requests.find(({ language: known }) => known)?.language;
		const props = name ? { name } : {};
		return { pid, from, request: { component: 'Markdown', props, language, ...(address && { address }) } };
	});
}

interface MarkdownContext {
	/** The pages of the build, as they will be kept. */
	readonly pages: Pick<PageStore, 'get' | 'put'>;
	readonly names: Iterable<string>;
	/** Folder of the pages. */
	readonly folder: string;
	readonly base: string;
	readonly site: string | undefined;
	readonly data: Pick<ProductData, 'fragmentOf'>;
}

/**
 * Writes the reviews of a build's pages as Markdown. Each file is a page of its own, with a row, so updates treat it like any
 * other.
 * @param pattern the option `feeds.markdown`.
 * @returns the names of these pages, with what their files show.
 */
export async function* writeMarkdownPages(
	pattern: string,
	{ pages, names, folder, base, site, data }: MarkdownContext,
): AsyncGenerator<readonly [name: string, shown: readonly Dependency[]]> {
	const written = new Set<string>();
	for (const name of names) {
		const page = pages.get(name)?.row;
		const shown = page && page.address !== UNKNOWN_PAGE ? markdownOf(page, site) : [];
		if (!page || shown.length === 0) continue;
		const file = markdownFile(pattern, nameOfAddress(page.address, base));
		const own = `/${file}`;
		// Two pages may have one name, and so one file.
		const before = written.has(own) ? (pages.get(own)?.row.dependencies ?? []) : [];
		const added = shown.filter(({ pid }) => !before.some((one) => one.pid === pid));
		const fragments = await Promise.all(
			[...before, ...added].map(async (dependency) => {
				const fragment = await data.fragmentOf(dependency);
				const { version, digest } = fragment;
				const { html } = addressFragment(fragment, dependency.pid, dependency.request as FragmentRequest);
				return { html, dependency: { ...dependency, version, held: [digest] } };
			}),
		);
		writeText(join(folder, file), markdownFileText(fragments.map(({ html }) => html)));
		const dependencies = fragments.map(({ dependency }) => dependency);
		pages.put(own, { address: readablePath(addressOfFile(file, base)), file, facts: [], dependencies });
		written.add(own);
		yield [own, dependencies];
	}
}
