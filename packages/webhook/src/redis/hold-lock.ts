/** Options of {@link holdLock}. Lengths of time are milliseconds. */
export interface HoldLockOptions {
	/** Makes the lock last for another whole duration. `false`: it is ours no more. It may reject where nobody answers. */
	readonly renew: () => Promise<boolean>;
	/** How long the lock lasts without being renewed. */
	readonly duration: number;
	/** Is called once, when another may have the lock. */
	readonly onLost: () => void;
	/** Milliseconds of a clock that never goes back. @default performance.now */
	readonly now?: (() => number) | undefined;
}

/**
 * Renews a lock four times as often as needed. Where nobody answers it counts as lost before it ends there: of two
 * receivers, the one that is cut off stops before another begins.
 * @returns what ends it.
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
				// It lasts from when Redis heard of it, which is after it was asked.
				else heldUntil = Math.max(heldUntil, askedAt + duration);
			},
			() => {},
		);
	}, pause);
	return end;
}
