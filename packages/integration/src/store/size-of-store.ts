import { statSync } from 'node:fs';

/** Bytes of a store's file and its log. */
export function sizeOfStore(file: string): number {
	return [file, `${file}-wal`].reduce(
		(sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
		0,
	);
}
