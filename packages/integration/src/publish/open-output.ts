import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOfConfig, type Output, readOutput } from '../build/output.js';
import { isUnusable } from '../store/open-database.js';
import { openExistingFile } from '../store/open-existing-file.js';
import { VERSION } from '../version.js';

/**
 * Reads what the last build wrote.
 * @param storeFile path of the store's file.
 * @returns why only a build can bring new reviews into its pages, if that is so.
 * @throws Error if the store cannot be read.
 */
export function openOutput(storeFile: string): { readonly output: Output } | { readonly reason: string } {
	const output = read(storeFile);
	if (!output) return { reason: NOTHING };
	const folder = dirname(storeFile);
	if (!output.isComplete) return { reason: 'the last build did not finish' };
	if (output.version !== VERSION) {
		return {
			reason: `the last build was made with version ${output.version} of astro-product-reviews, this is ${VERSION}`,
		};
	}
	if (output.config !== digestOfConfig(join(folder, output.root))) {
		return { reason: 'the Astro configuration has changed since the last build' };
	}
	if (!existsSync(join(folder, output.folder)))
		return { reason: 'the output folder of the last build is gone' };
	return { output };
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
