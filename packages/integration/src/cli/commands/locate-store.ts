import { dirname, join, relative, resolve } from 'node:path';
import { REPORT_FILE, STORE_FILE } from '../../constants.js';
import { storeFolder } from '../../store/store-folder.js';
import { plainLine } from '../../text/clean-text.js';
import type { SitePlace } from '../site/load-site.js';

/** Where the command line says that the store is. */
export interface Place {
	/** The file itself. */
	readonly store: string | undefined;
	/** Folder of the Astro project. @default the working directory */
	readonly root: string | undefined;
	/** The option `cacheDir` of the integration, relative to the root. */
	readonly cacheDir: string | undefined;
	/** The file with the Astro configuration, relative to the root. */
	readonly config: string | undefined;
	/** Vite's mode. */
	readonly mode: string | undefined;
}

/** Absolute paths of the store's file and the report beside it. */
export function locateStore(
	{ store, root, cacheDir }: Place,
	cwd: string,
): { store: string; report: string } {
	const file =
		store === undefined
			? join(storeFolder(resolve(cwd, root ?? '.'), cacheDir), STORE_FILE)
			: resolve(cwd, store);
	return { store: file, report: join(dirname(file), REPORT_FILE) };
}

/** Where the configuration of the project is. */
export function sitePlace({ root, config, mode }: Place, cwd: string): SitePlace {
	return { root: resolve(cwd, root ?? '.'), config, mode };
}

/** A path for a message: quoted, and relative to the working directory. */
export function namePath(file: string, cwd: string): string {
	return `"${plainLine(relative(cwd, file), MOST_LETTERS)}"`;
}

const MOST_LETTERS = 500;
