import type { DatabaseSync } from 'node:sqlite';
import { isWhole, PROVEN } from './row-proof.js';

/** Stored in place of a product id if anything may have changed. No product has this id. */
export const ALL = '';

/** What was wrong with the rows of a file. */
export interface Damage {
	/** Rows that were removed. */
	readonly rows: number;
	/** A change may have been lost, so anything may have changed. */
	readonly isChangeLost: boolean;
	/** The file could not be used: its new name, and why. */
	readonly setAside?: { readonly to: string; readonly reason: string };
}

type Table = keyof typeof PROVEN;

const TABLES = Object.keys(PROVEN) as readonly Table[];

/**
 * Removes rows that are not what was written. If a change was among them, its product is unknown, and anything may have
 * changed. Call it in a transaction.
 * @param now milliseconds since 1970.
 * @returns `undefined` if all rows are whole.
 */
export function mendRows(database: DatabaseSync, now: number): Damage | undefined {
	const damaged = new Map(TABLES.map((table) => [table, countDamaged(database, table)]));
	const rows = [...damaged.values()].reduce((sum, count) => sum + count, 0);
	const areNumbersLost = countWhole(database, 'numbers') !== 1;
	if (rows === 0 && !areNumbersLost) return undefined;
	for (const table of TABLES) database.exec(`DELETE FROM ${table} WHERE NOT (${isWhole(table)})`);
	if (areNumbersLost) renumber(database, now);
	const isChangeLost = damaged.get('changes') !== 0;
	if (isChangeLost) markAll(database, now);
	return { rows, isChangeLost };
}

/** Notes that anything may have changed. @param now milliseconds since 1970. */
export function markAll(database: DatabaseSync, now: number): void {
	database.exec('UPDATE numbers SET last = last + 1, proof = proof(last + 1)');
	database
		.prepare(
			`INSERT OR REPLACE INTO changes (pid, sequence, first_at, last_at, proof)
			SELECT ?1, last, ?2, ?2, proof(?1, last, ?2, ?2) FROM numbers`,
		)
		.run(ALL, now);
}

/**
 * Goes on with a number that was never used. One number is used for each write, and there is less than one a millisecond, so
 * the time is larger than all of them.
 */
function renumber(database: DatabaseSync, now: number): void {
	database.exec('DELETE FROM numbers');
	database
		.prepare(
			`INSERT INTO numbers (last, proof) SELECT last, proof(last) FROM
			(SELECT max(?, coalesce((SELECT max(sequence) FROM changes), 0)) AS last)`,
		)
		.run(now);
}

function countDamaged(database: DatabaseSync, table: Table): number {
	return count(database, `SELECT count(*) AS count FROM ${table} WHERE NOT (${isWhole(table)})`);
}

function countWhole(database: DatabaseSync, table: Table): number {
	return count(database, `SELECT count(*) AS count FROM ${table} WHERE ${isWhole(table)}`);
}

function count(database: DatabaseSync, sql: string): number {
	return (database.prepare(sql).get() as { count: number }).count;
}
