import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The file of the store in its folder. */
export const storeFileIn = (folder: string): string => join(folder, 'reviews-v7.db');

/** Ids of the products whose reviews lie in a store. */
export function storedProducts(folder: string): string[] {
	const database = new DatabaseSync(storeFileIn(folder));
	const rows = database.prepare(
		"SELECT pid FROM entries JOIN contents USING (account, kind, pid) WHERE kind = 'reviews'",
	);
	const pids = rows.all().map(({ pid }) => String(pid));
	database.close();
	return pids;
}

/** What a build's log says about the store. */
export function storeWarnings(output: string): string[] {
	return output.match(/The (?:store|report) .*/g) ?? [];
}
