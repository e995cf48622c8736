import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** A process, told from another one that has its number later. */
export interface ProcessIdentity {
	readonly pid: number;
	/** When it was started, as Linux counts it; elsewhere when this was noted, in milliseconds since 1970. */
	readonly started: string;
}

export function identifyProcess(pid: number): ProcessIdentity {
	return { pid, started: startOf(pid) ?? String(Date.now()) };
}

/**
 * Whether the process runs. Where the system does not say when it was started, one of the same number counts, unless the
 * machine was started since.
 */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
	if (started.includes('/')) return startOf(pid) === started;
	if (Number(started) < Date.now() - uptime() * 1_000) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** Whether anybody of the group runs that the process was the leader of. Nobody gets the number of a leader meanwhile. */
export function isGroupRunning(leader: ProcessIdentity): boolean {
	if (isRunning(leader)) return true;
	if (!leader.started.includes('/') || startOf(leader.pid) !== undefined) return false;
	try {
		return process.kill(-leader.pid, 0);
	} catch {
		return false;
	}
}

/** Which start of the machine, and how long after it; `undefined` for one that has ended, and without `/proc`. */
function startOf(pid: number): string | undefined {
	try {
		const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
		// A name may hold anything; what follows it does not. The first field after it is the third, the state.
		const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
		const isGone = fields[0] === 'Z' || fields[0] === 'X';
		return isGone ? undefined : `${boot}/${fields[22 - 3]}`;
	} catch {
		return undefined;
	}
}
