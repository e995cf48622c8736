import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { VERSION } from '../constants.js';
import { digestOfConfig, isBuiltHere, type LastBuild, readLastBuild } from '../session/last-build.js';
import { plainLine } from '../text/words.js';

type OpenedOutput =
	| { readonly build: LastBuild; readonly reason?: undefined; readonly outDir: string }
	/** The build may be one that is running. */
	| { readonly build?: undefined; readonly reason: string; readonly outDir: string }
	| { readonly build?: undefined; readonly reason: string; readonly outDir?: undefined };

export function openOutput(cacheFile: string, root?: string): OpenedOutput {
	const build = readLastBuild(cacheFile);
	if (!build) return { reason: 'there is no build of this project yet: run "astro build" once' };
	if (!isBuiltHere(build, cacheFile, root)) {
		const where = plainLine(build.root, MOST_LETTERS);
		return { reason: `the last build was made in another folder, ${where}: build once in this one` };
	}
	const reason = whyToBuild(build);
	const outDir = resolve(build.root, build.outDir);
	return reason === undefined ? { build, outDir } : { reason, outDir };
}

const MOST_LETTERS = 200;

function whyToBuild({
	isComplete,
	version,
	root,
	configFile,
	config,
	folder,
	provider,
}: LastBuild): string | undefined {
	if (!isComplete) return 'the last build did not finish';
	if (version !== VERSION) {
		return `the last build was made with version ${plainLine(version, MOST_LETTERS)} of astro-product-reviews, this is ${VERSION}`;
	}
	if (config !== digestOfConfig(root, configFile)) {
		return 'the Astro configuration has changed since the last build';
	}
	if (provider === '') {
		return 'the option "provider" is an object, which only builds have: move it to a module, and give the path of that';
	}
	return existsSync(resolve(root, folder)) ? undefined : 'the output folder of the last build is gone';
}
