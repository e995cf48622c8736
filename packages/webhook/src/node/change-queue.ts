import type { Change } from '../changes/change.js';

/** A change that has not been written yet. */
interface Waiting {
	readonly change: Change;
	readonly resolve: (isNew: boolean) => void;
	readonly reject: (error: unknown) => void;
}

/** Collects changes, so that those that arrive together are written together. */
export interface ChangeQueue {
	/** @returns whether the change is new. */
	add(change: Change): Promise<boolean>;
	/** Writes what is waiting. */
	flush(): void;
}

/** @param write writes all changes or none, and returns which of them are new. */
export function createChangeQueue(write: (changes: readonly Change[]) => readonly boolean[]): ChangeQueue {
	let queue: Waiting[] = [];
	const flush = () => {
		if (queue.length === 0) return;
		const written = queue;
		queue = [];
		try {
			const results = write(written.map(({ change }) => change));
			for (const [index, { resolve }] of written.entries()) resolve(results[index] === true);
		} catch (error) {
			for (const { reject } of written) reject(error);
		}
	};
	return {
		add: (change) =>
			new Promise((resolve, reject) => {
				if (queue.length === 0) setImmediate(flush);
				queue.push({ change, resolve, reject });
			}),
		flush,
	};
}
