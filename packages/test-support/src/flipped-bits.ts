import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** A folder in memory where the system has one: a test of flipped bits writes thousands of files. */
export const memoryFolder = (): string | undefined => (existsSync('/dev/shm') ? '/dev/shm' : undefined);

const PAGE = 512;
/** Of the bits that hold no row every so many is flipped: all of them would take minutes. A prime, to meet each of a byte. */
const ELSEWHERE = 127;
const TYPES_OF_PAGES_WITH_ROWS = [2, 5, 10, 13];

/** Writes a database again in the smallest pages that there are. Nobody may have it open. */
export function shrinkPages(file: string): void {
	const database = new DatabaseSync(file);
	database.exec(
		`PRAGMA journal_mode = DELETE; PRAGMA page_size = ${PAGE}; VACUUM; PRAGMA journal_mode = WAL`,
	);
	database.close();
}

export function rootPageOf(name: string, file: string): number {
	const database = new DatabaseSync(file, { readOnly: true });
	const row = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name);
	database.close();
	return Number(row?.['rootpage']);
}

export const pageOf = (bit: number): number => Math.floor(bit / (8 * PAGE)) + 1;

/**
 * Every bit of each page that holds rows, but for the room between their list and the rows, where nothing lies; every so
 * many of the first page and of those that hold the schema.
 * @param file what {@link shrinkPages} wrote.
 */
export function* bitsOfRows(file: Buffer): Iterable<number> {
	for (let at = 0; at < file.length; at++) {
		const start = at - (at % PAGE);
		const isOfRows = start > 0 && TYPES_OF_PAGES_WITH_ROWS.includes(file[start] as number);
		const isInRows =
			at - start < 12 + 2 * file.readUInt16BE(start + 3) || at - start >= file.readUInt16BE(start + 5);
		for (let bit = 8 * at; bit < 8 * at + 8; bit++)
			if ((isOfRows && isInRows) || bit % ELSEWHERE === 0) yield bit;
	}
}
