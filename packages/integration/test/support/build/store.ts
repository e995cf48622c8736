import { join } from 'node:path';

/** The file of the store in its folder. */
export const storeFileIn = (folder: string): string => join(folder, 'reviews-v7.db');

/** What a build's log says about the store. */
export function storeWarnings(output: string): string[] {
	return output.match(/The (?:store|cache|report) .*/g) ?? [];
}
