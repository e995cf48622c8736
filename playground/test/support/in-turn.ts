import { createHash } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A turn that takes longer belongs to a process that was killed, in milliseconds. */
const LONGEST_TURN = 180_000;

/**
 * Waits until no other process works in a folder, and then runs a task in it. Astro writes into the project that it builds,
 * so concurrent builds of one project would interfere with each other.
 */
export async function inTurn<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
	const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
	const turn = join(tmpdir(), `playground-turn-${name}`);
	while (!(await take(turn))) await setTimeout(100);
	try {
		return await work();
	} finally {
		await rm(turn, { recursive: true, force: true });
	}
}

/** Creating a folder is atomic: only one of several processes succeeds. */
async function take(turn: string): Promise<boolean> {
	try {
		await mkdir(turn);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
	const since = await stat(turn).catch(() => undefined);
	if (since && Date.now() - since.mtimeMs > LONGEST_TURN) await rm(turn, { recursive: true, force: true });
	return false;
}
