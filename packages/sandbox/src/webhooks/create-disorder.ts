import type { Random } from '../seed/random.js';
import type { Webhook } from './webhook-input.js';

/**
 * Makes a queue that lets those who wait through in another order: all that came within `ms` of the first, or as soon
 * as there are `events` of them. Without settings nobody waits.
 *
 * @param signal Lets everybody through when it aborts, so that nobody waits for a timer.
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
