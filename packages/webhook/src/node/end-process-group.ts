import { setTimeout as sleep } from 'node:timers/promises';

/** Time between SIGTERM and SIGKILL, in milliseconds, so that a build can clean up. */
const GRACE = 10_000;
/** How often to check whether they have ended, in milliseconds. */
const LOOK = 50;

/**
 * Ends a process group, given the id of its leader. The leader itself may be gone while others of the group still run.
 * Processes that ignore SIGTERM are killed after {@link GRACE}.
 */
export async function endProcessGroup(leader: number): Promise<void> {
	send(leader, 'SIGTERM');
	const end = performance.now() + GRACE;
	while (send(leader, 0) && performance.now() < end) await sleep(LOOK);
	send(leader, 'SIGKILL');
}

/** @returns whether any process of the group is left. */
function send(leader: number, signal: NodeJS.Signals | 0): boolean {
	try {
		process.kill(process.platform === 'win32' ? leader : -leader, signal);
		return true;
	} catch {
		return false;
	}
}
