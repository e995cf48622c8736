import { renameSync, rmSync, statSync } from 'node:fs';

/** What tells a file from another one that has its name later; `undefined` where there is none. */
export function identify(file: string): string | undefined {
	const found = statSync(file, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev} ${found.ino}`;
}

/**
 * Takes a file of the store that cannot be used out of the way: it is `<file>.set-aside` then. This process does not
 * have it open; another build may, and that can have set it aside already: the file that it made since stays.
 * @param identity of the file that cannot be used.
 */
export function setAside(file: string, identity: string | undefined): void {
	if (identify(file) !== identity) return;
	// The log belongs to the file that it was written for; beside another one it would be damage.
	for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	renameSync(file, `${file}.set-aside`);
}
