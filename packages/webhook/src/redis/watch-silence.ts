/** Options of {@link watchSilence}. */
export interface WatchSilenceOptions {
	/** How long nothing was heard until it counts, in milliseconds. */
	readonly longest: number;
	/** Opens the connections anew. */
	readonly onSilence: () => void;
	/** Milliseconds of a clock that never goes back. @default performance.now */
	readonly now?: (() => number) | undefined;
}

/**
 * A connection can be gone without a word: what is sent over it gets no answer for minutes. Where answers fail and none came
 * for a while, it is opened anew.
 * @returns what an answer is handed through.
 */
export function watchSilence({ longest, onSilence, now = () => performance.now() }: WatchSilenceOptions) {
	let heardAt = now();
	return async <Result>(answer: Promise<Result>): Promise<Result> => {
		try {
			const result = await answer;
			heardAt = now();
			return result;
		} catch (error) {
			if (now() - heardAt > longest) {
				heardAt = now();
				onSilence();
			}
			throw error;
		}
	};
}
