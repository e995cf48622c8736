import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

/** The tables whose rows have a checksum in the column `proof`, and what it covers. */
export const PROVEN = {
	changes: 'pid, sequence, first_at, last_at',
	events: 'id, received_at',
	numbers: 'last',
	holder: 'pid, started, token, command_pid, command_started',
} as const;

/** A condition: the row is what was written. A flipped bit always makes it false. */
export function isWhole(table: keyof typeof PROVEN): string {
	return `${table}.proof IS proof(${columnsOf(table)})`;
}

/** Makes the function `proof(...)` available in SQL: the checksum of its arguments. */
export function addProof(database: DatabaseSync): void {
	database.function(
		'proof',
		{ deterministic: true, varargs: true, useBigIntArguments: true },
		(...columns: unknown[]) => crc32(JSON.stringify(columns, toJson)),
	);
}

/** A damaged number may be too large for JavaScript. If so, it changes, and the row counts as damaged. */
function toJson(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? Number(value) : value;
}

/** With the name of the table: an upsert has two rows. */
function columnsOf(table: keyof typeof PROVEN): string {
	return PROVEN[table].replaceAll(/\w+/g, (column) => `${table}.${column}`);
}
