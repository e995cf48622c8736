import type { ChildProcess } from 'node:child_process';

/** Time between asking processes to end and ending them, in milliseconds. */
const PATIENCE = 10_000;

/** Ends a process that was started as the leader of a group, with everything that it started. */
export async function endProcessGroup(child: ChildProcess): Promise<void> {
	const { pid } = child;
	// The leader may be gone already, and others of the group not.
	if (pid === undefined) return;
	send(pid, 'SIGTERM');
	await new Promise<void>((resolve) => {
		const timer = setTimeout(resolve, PATIENCE);
		child.once('close', () => {
			clearTimeout(timer);
			resolve();
		});
	});
	// Some of the group may be left even where the leader is gone.
	send(pid, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(process.platform === 'win32' ? pid : -pid, signal);
	} catch {
		// Nobody is left.
	}
}
