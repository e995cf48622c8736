/** Knows which events were taken already. */
export interface Replays {
	/**
	 * Whether an event is new. It is known from then on, until `forget` or its time is over.
	 * @param until the last moment of its time, in milliseconds since 1970.
	 */
	add(id: string, until: number): boolean;
	/** An event that was not taken after all: the sender's next try counts. */
	forget(id: string): void;
}

/** Ids that are kept at most. Each is good for ten minutes at the longest. */
const MOST_IDS = 100_000;

/** Remembers events in this process. The oldest go first when there are too many. @param now milliseconds since 1970. */
export function createReplays(now: () => number): Replays {
	const ids = new Map<string, number>();
	const removeOld = () => {
		for (const [id, until] of ids) {
			if (until >= now() && ids.size <= MOST_IDS) break;
			ids.delete(id);
		}
	};
	return {
		add(id, until) {
			removeOld();
			const known = ids.get(id);
			if (known !== undefined && known >= now()) return false;
			ids.delete(id);
			ids.set(id, until);
			return true;
		},
		forget: (id) => void ids.delete(id),
	};
}
