import type { Flight } from '../cache/cached-resource.js';
import type { Turns } from './create-turns.js';
import type { Entries, Good } from './live-entries.js';
import type { LiveLosses } from './live-losses.js';
import type { LiveMemoryContext } from './live-memory.js';

/** What fetching works with. */
export interface LiveFetchContext<Value, Known>
	extends Pick<LiveMemoryContext<Value, Known>, 'ask' | 'isEmpty' | 'now' | 'monotonicNow'> {
	readonly entries: Entries<Value, Known>;
	readonly losses: LiveLosses<Value>;
	/** Called when the service has answered. */
	readonly onAnswer: (pid: string) => void;
	/** Waits while another instance requests the product. @default none does */
	readonly begin?: Turns<Value, Known> | undefined;
}

/** Returns a function that requests a product from the service, and remembers and shares the answer. */
export function createLiveFetch<Value, Known>(
	context: LiveFetchContext<Value, Known>,
): (pid: string, flight: Flight) => Promise<void> {
	const { ask, isEmpty, now, monotonicNow, entries, losses, onAnswer, begin } = context;

	async function askFor(
		pid: string,
		flight: Flight,
		share?: (good: Good<Value, Known>) => void,
	): Promise<void> {
		const good = entries.get(pid)?.good;
		const sentAt = monotonicNow();
		const answer = await ask(pid, good?.known);
		const sent = answer === 'unchanged' ? good : answer;
		const fetchedAt = monotonicNow();
		onAnswer(pid);
		// One that was sent before a change may end after one that was sent since.
		if (!sent || (entries.get(pid)?.good?.fetchedAt ?? Number.NEGATIVE_INFINITY) > sentAt) return;
		const { value, known } = sent;
		const changedAt = good && isEqual(good.value, value) ? good.changedAt : now();
		const entry = { good: { value, known, fetchedAt, changedAt }, isOutdated: flight.isOutdated };
		await losses.check(pid, value, () => {
			entries.setGood(pid, entry, isEmpty(value));
			// Another instance may have shared a newer one since the event.
			if (!flight.isOutdated) share?.(entry.good);
		});
	}

	if (!begin) return askFor;
	return async (pid, flight) => {
		const turn = await begin(pid);
		try {
			if (turn) await askFor(pid, flight, turn.share);
		} finally {
			turn?.end();
		}
	};
}

function isEqual(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}
