import { renameSync, rmSync, statSync } from 'node:fs';

/** Tells a file from a later one of the same name; `undefined` if there is no file. */
export function identify(file: string): string | undefined {
	const found = statSync(file, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev} ${found.ino}`;
}

/**
 * Renames an unusable file of the store to `<file>.set-aside`. This process must not have it open. If another build has
 * already set it aside and made a new file, that one stays.
 * @param identity of the unusable file.
 */
export function setAside(file: string, identity: string | undefined): void {
	if (identify(file) !== identity) return;
	// The log belongs to the old file. Next to a new one it would be damage.
	for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	renameSync(file, `${file}.set-aside`);
}
