import { renameSync, rmSync } from 'node:fs';

/** Takes a file of the store that cannot be used out of the way: it is `<file>.set-aside` then. Nobody has it open. */
export function setAside(file: string): void {
	// The log belongs to the file that it was written for; beside another one it would be damage.
	for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	renameSync(file, `${file}.set-aside`);
}
