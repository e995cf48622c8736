import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Identifies a process, even after its id has been reused. */
export interface ProcessIdentity {
	readonly pid: number;
	/** Boot id and start time on Linux; elsewhere when this was recorded, in milliseconds since 1970. */
	readonly started: string;
}

export function identifyProcess(pid: number): ProcessIdentity {
	return { pid, started: startOf(pid) ?? String(Date.now()) };
}

/**
 * Whether the process is running. Without `/proc` its start time is unknown: any process with the same id counts, unless
 * the machine was restarted since.
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

/** Whether any process of the leader's group is running. The id of the leader is not reused while one is. */
export function isGroupRunning(leader: ProcessIdentity): boolean {
	if (isRunning(leader)) return true;
	if (!leader.started.includes('/') || startOf(leader.pid) !== undefined) return false;
	try {
		return process.kill(-leader.pid, 0);
	} catch {
		return false;
	}
}

/** Boot id and start time of a process; `undefined` if it has ended, or without `/proc`. */
function startOf(pid: number): string | undefined {
	try {
		const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
		// The second field, the name, may contain anything, even `) `. The first field after it is the third, the state.
		const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
		const isGone = fields[0] === 'Z' || fields[0] === 'X';
		return isGone ? undefined : `${boot}/${fields[22 - 3]}`;
	} catch {
		return undefined;
	}
}
