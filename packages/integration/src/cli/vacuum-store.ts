import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { sizeText } from '../text/amounts.js';

/** Writes the file anew without the room that removed rows left, and folds its log into it. */
export function* vacuumStore(database: DatabaseSync, file: string): Iterable<string> {
	const before = sizeOf(file);
	database.exec('VACUUM');
	const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
	yield `${sizeText(before)} before, ${sizeText(sizeOf(file))} after\n`;
	if (busy) yield 'Another process reads the store: its log is folded in when that has ended.\n';
}

/** Bytes of the file with its log. */
function sizeOf(file: string): number {
	return [file, `${file}-wal`].reduce(
		(sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
		0,
	);
}
