import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A built page. */
export interface BuiltPage {
	/** Relative to the build's folder: `products/enamel-kettle/index.html`. */
	readonly path: string;
	/** Path of the file. */
	readonly file: string;
	readonly html: string;
}

/** Every html page of a build, sorted by path. */
export async function readPages({ directory }: { readonly directory: string }): Promise<BuiltPage[]> {
	const paths = await readdir(directory, { recursive: true });
	const pages = paths.filter((path) => path.endsWith('.html')).sort();
	return Promise.all(
		pages.map(async (path) => {
			const file = join(directory, path);
			return { path, file, html: await readFile(file, 'utf8') };
		}),
	);
}

/** @throws Error if there is no page with that path. */
export function pageAt(pages: readonly BuiltPage[], path: string): BuiltPage {
	const page = pages.find((candidate) => candidate.path === path);
	if (!page) throw new Error(`There is no page ${path}.`);
	return page;
}
