/** Remembers which events were already accepted. */
export interface Replays {
	/**
	 * Remembers an event until it expires or is forgotten.
	 * @param until when it expires, in milliseconds since 1970.
	 * @returns whether the event is new.
	 */
	add(id: string, until: number): boolean;
	/** Forgets an event that was not recorded after all, so that the sender's next attempt counts. */
	forget(id: string): void;
}

/** Maximum number of ids to keep. Each is valid for at most ten minutes. */
const MOST_IDS = 100_000;

/** Remembers events in memory. When there are too many, the oldest are dropped. @param now milliseconds since 1970. */
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
