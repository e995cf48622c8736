import type { ChangeLog, Hold } from './change-log.js';

/**
 * Runs an action while no other receiver that shares the log rebuilds.
 * @returns what the action returned; `undefined` if another receiver rebuilds, and the action was not run.
 */
export async function takeTurn<Result>(
	log: Pick<ChangeLog, 'hold'>,
	onLog: (line: string) => void,
	action: (hold: Hold | undefined) => Promise<Result>,
): Promise<Result | undefined> {
	const hold = await log.hold?.(onLog);
	if (log.hold && !hold) return undefined;
	try {
		return await action(hold);
	} finally {
		hold?.release();
	}
}
