import type { Random } from '../seed/random.js';
import type { Webhook } from './webhook-input.js';

/**
 * Creates a queue that releases its waiters in random order: `ms` after the first one arrived, or as soon as there are
 * `events` of them. Without settings there is no wait.
 *
 * @param signal Releases all waiters when it aborts.
 * @returns A function that resolves when it is the caller's turn.
 */
export function createDisorder(
	settings: Webhook['disorder'],
	random: Random,
	signal: AbortSignal,
): () => Promise<void> {
	if (!settings) return async () => {};
	const { events = Number.POSITIVE_INFINITY, ms = 1_000 } = settings;
	let held: (() => void)[] = [];
	let timer: NodeJS.Timeout | undefined;

	const release = () => {
		clearTimeout(timer);
		const turns = random.shuffle(held);
		held = [];
		for (const turn of turns) turn();
	};

	signal.addEventListener('abort', release, { once: true });
	return () =>
		new Promise((resolve) => {
			held.push(resolve);
			if (held.length === 1) timer = setTimeout(release, ms);
			if (held.length >= events) release();
		});
}
