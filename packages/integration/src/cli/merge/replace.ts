import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';

/** Where something is written before it takes its place: beside it, so that it can be renamed. */
export function unfinishedName(path: string): string {
	return `${path}.merging`;
}

/** Where the former folder is while the new one takes its place. */
function formerName(path: string): string {
	return `${path}.replaced`;
}

/** Deletes what a run has left beside a file or a folder. If it ended before the new folder was in place, the former one returns. */
export async function removeUnfinished(path: string): Promise<void> {
	await rm(unfinishedName(path), { recursive: true, force: true });
	const former = formerName(path);
	if (!existsSync(former)) return;
	if (existsSync(path)) await rm(former, { recursive: true, force: true });
	else await rename(former, path);
}

/** Puts a finished folder in its place. */
export async function replaceFolder(path: string): Promise<void> {
	if (existsSync(path)) await rename(path, formerName(path));
	await rename(unfinishedName(path), path);
}

/** Puts a finished file in its place. */
export async function replaceFile(path: string): Promise<void> {
	await rename(unfinishedName(path), path);
}
