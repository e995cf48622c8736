import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOfConfig, type Output, readOutput } from '../build/output.js';
import { isUnusable } from '../store/open-database.js';
import { openExistingFile } from '../store/open-existing-file.js';
import { VERSION } from '../version.js';

/** What the last build wrote, or why only a build can bring new reviews into its pages. */
export type OpenedOutput = { readonly output: Output } | UnusableOutput;

interface UnusableOutput {
	readonly reason: string;
	/** Where the build writes, if this is known. */
	readonly outDir?: string;
}

/**
 * Reads what the last build wrote.
 * @param storeFile path of the store's file.
 * @throws Error if the store cannot be read.
 */
export function openOutput(storeFile: string): OpenedOutput {
	const output = read(storeFile);
	if (!output) return { reason: NOTHING };
	const reason = whyToBuild(output, dirname(storeFile));
	return reason === undefined ? { output } : { reason, outDir: output.outDir };
}

function whyToBuild(output: Output, storeFolder: string): string | undefined {
	if (!output.isComplete) return 'the last build did not finish';
	if (output.version !== VERSION) {
		return `the last build was made with version ${output.version} of astro-product-reviews, this is ${VERSION}`;
	}
	if (output.config !== digestOfConfig(join(storeFolder, output.root))) {
		return 'the Astro configuration has changed since the last build';
	}
	return existsSync(join(storeFolder, output.folder))
		? undefined
		: 'the output folder of the last build is gone';
}

const NOTHING =
	'no build has kept where its reviews are: set the option "publish" of productReviews() to true, and build once';

function read(file: string): Output | undefined {
	try {
		const database = openExistingFile(file);
		try {
			return readOutput(database);
		} finally {
			database.close();
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT' || isUnusable(error)) return undefined;
		throw error;
	}
}
