import { setTimeout as sleep } from 'node:timers/promises';

/** Time between asking processes to end and ending them, in milliseconds: a build can clean up. */
const GRACE = 10_000;
/** How often it is looked whether they have ended, in milliseconds. */
const LOOK = 50;

/**
 * Ends a process that was started as the leader of a group, with everything that it started. The leader may be gone
 * already, and others of the group not. What is deaf to SIGTERM is ended after {@link GRACE}.
 */
export async function endProcessGroup(leader: number): Promise<void> {
	send(leader, 'SIGTERM');
	const end = performance.now() + GRACE;
	while (send(leader, 0) && performance.now() < end) await sleep(LOOK);
	send(leader, 'SIGKILL');
}

/** @returns whether anybody is left. */
function send(leader: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(process.platform === 'win32' ? leader : -leader, signal);
		return true;
	} catch {
		return false;
	}
}
