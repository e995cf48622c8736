/** SQLite's codes for errors of the disk, a full disk, and a file that cannot be opened. */
const CODES = new Set([10, 13, 14]);

/** Whether SQLite could not write a file. The database itself may be whole. */
export function isDiskError(error: unknown): error is Error {
	const { errcode = 0 } = error as { readonly errcode?: number };
	return CODES.has(errcode & 0xff);
}
