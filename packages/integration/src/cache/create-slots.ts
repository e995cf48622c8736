/** Limits how many products are requested at once, in the order in which they come. */
export interface Slots {
	/** Waits for a slot. */
	take(pid: string): Promise<void>;
	free(): void;
	/** Gives a product a slot at once, now and whenever it asks for one, because a page waits for it. */
	hurry(pid: string): void;
	/** The page no longer waits. */
	calm(pid: string): void;
}

export function createSlots(most: number): Slots {
	const waiting = new Map<string, () => void>();
	const urgent = new Set<string>();
	let taken = 0;
	return {
		async take(pid) {
			const isFull = taken >= most && !urgent.has(pid);
			if (isFull) await new Promise<void>((resolve) => waiting.set(pid, resolve));
			else taken += 1;
		},
		free() {
			const [next] = waiting;
			if (!next || taken > most) {
				taken -= 1;
				return;
			}
			// The slot is passed on.
			waiting.delete(next[0]);
			next[1]();
		},
		hurry(pid) {
			urgent.add(pid);
			const go = waiting.get(pid);
			if (!go) return;
			waiting.delete(pid);
			taken += 1;
			go();
		},
		calm: (pid) => void urgent.delete(pid),
	};
}
