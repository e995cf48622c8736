import type { Command } from './messages.js';

/** Requests that the thread has not answered yet. */
export interface WaitingRequests {
	readonly size: number;
	/** Commands of all of them, in order. */
	commands(): readonly Command[];
	/** Adds a request. @param toCommand called with its id. */
	add<Answer>(toCommand: (id: number) => Command): {
		readonly command: Command;
		readonly answer: Promise<Answer>;
	};
	/** Removes an answered request; `undefined` if it is no longer there. */
	take(id: number): Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> | undefined;
	/** Fails all of them. */
	fail(reason: Error): void;
}

interface Waiting extends PromiseWithResolvers<unknown> {
	readonly command: Command;
}

export function createWaitingRequests(): WaitingRequests {
	const waiting = new Map<number, Waiting>();
	let lastId = 0;
	return {
		get size() {
			return waiting.size;
		},
		commands: () => [...waiting.values()].map(({ command }) => command),
		add<Answer>(toCommand: (id: number) => Command) {
			const id = ++lastId;
			const command = toCommand(id);
			const asked = Promise.withResolvers<Answer>();
			waiting.set(id, { ...(asked as PromiseWithResolvers<unknown>), command });
			return { command, answer: asked.promise };
		},
		take(id) {
			const taken = waiting.get(id);
			waiting.delete(id);
			return taken;
		},
		fail(reason) {
			for (const { reject } of waiting.values()) reject(reason);
			waiting.clear();
		},
	};
}
