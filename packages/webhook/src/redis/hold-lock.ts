/** Options of {@link holdLock}. Durations are in milliseconds. */
export interface HoldLockOptions {
	/** Extends the lock by the whole duration. Resolves to `false` if it is no longer ours; may reject if Redis does not answer. */
	readonly renew: () => Promise<boolean>;
	/** How long the lock lasts without renewal. */
	readonly duration: number;
	/** Called once, when another receiver may hold the lock. */
	readonly onLost: () => void;
	/** Monotonic clock, in milliseconds. @default performance.now */
	readonly now?: (() => number) | undefined;
}

/**
 * Renews a lock four times as often as needed. Without an answer, the lock counts as lost before it expires in Redis, so
 * that a receiver that is cut off stops before another one starts.
 * @returns a function that stops the renewal.
 */
export function holdLock({
	renew,
	duration,
	onLost,
	now = () => performance.now(),
}: HoldLockOptions): () => void {
	const pause = duration / 4;
	let heldUntil = now() + duration;
	let isOver = false;
	const end = () => {
		isOver = true;
		clearInterval(timer);
	};
	const lose = () => {
		if (isOver) return;
		end();
		onLost();
	};
	const timer = setInterval(() => {
		const askedAt = now();
		if (askedAt + pause >= heldUntil) return lose();
		renew().then(
			(isHeld) => {
				if (!isHeld) lose();
				// Redis counts from when it received the request, which is later than `askedAt`.
				else heldUntil = Math.max(heldUntil, askedAt + duration);
			},
			() => {},
		);
	}, pause);
	return end;
}
