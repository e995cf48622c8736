import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
	digestOfConfig,
	isBuiltHere,
	type LastBuild,
	readLastBuild,
	type WrittenBuild,
} from '../session/last-build.js';
import { plainLine } from '../text/words.js';
import { VERSION } from '../version.js';

/** What the last build was, or why only a build can bring new reviews into its pages. */
export type OpenedOutput = { readonly build: LastBuild } | UnusableOutput;

interface UnusableOutput {
	readonly reason: string;
	/** Absolute path of the folder that the build writes, if it may be one that is running. */
	readonly outDir?: string;
}

/**
 * Reads what the last build was.
 * @param storeFile path of the store's file.
 * @param root of the project, if it is known.
 * @throws Error if its file cannot be read.
 */
export function openOutput(storeFile: string, root?: string): OpenedOutput {
	const build = readLastBuild(storeFile);
	if (!build) return { reason: NOTHING };
	if (!isBuiltHere(build, storeFile, root)) {
		const where = plainLine(build.root, MOST_LETTERS);
		return { reason: `the last build was made in another folder, ${where}: build once in this one` };
	}
	const reason = whyToBuild(build);
	return reason === undefined ? { build } : { reason, outDir: resolve(build.root, build.outDir) };
}

const MOST_LETTERS = 200;

function whyToBuild({
	isComplete,
	version,
	root,
	configFile,
	config,
	folder,
}: WrittenBuild): string | undefined {
	if (!isComplete) return 'the last build did not finish';
	if (version !== VERSION) {
		return `the last build was made with version ${plainLine(version, MOST_LETTERS)} of astro-product-reviews, this is ${VERSION}`;
	}
	if (config !== digestOfConfig(root, configFile)) {
		return 'the Astro configuration has changed since the last build';
	}
	return existsSync(resolve(root, folder)) ? undefined : 'the output folder of the last build is gone';
}

const NOTHING = 'there is no build of this project yet: run "astro build" once';
