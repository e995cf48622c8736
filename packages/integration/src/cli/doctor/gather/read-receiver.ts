import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ReceiverFacts } from '../facts.js';

/** Where `product-reviews-webhook` keeps waiting changes if nothing else is set, below its working directory. */
export const CHANGES_FILE = '.product-reviews/changes.db';

/** Reads which changes wait for a rebuild, without changing the receiver's file. */
export function readReceiver(file: string): ReceiverFacts {
	if (!existsSync(file)) return { waiting: undefined, trouble: undefined };
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
		const { products, oldest } = database
			.prepare('SELECT count(*) AS products, min(first_at) AS oldest FROM changes')
			.get() as { products: number; oldest: number | null };
		return { waiting: oldest === null ? undefined : { products, oldest }, trouble: undefined };
	} catch (error) {
		return {
			waiting: undefined,
			trouble: { code: 'PR_CHANGES_UNUSABLE', reason: (error as Error).message },
		};
	} finally {
		database?.close();
	}
}
