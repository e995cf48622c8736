/** Options of {@link watchSilence}. */
export interface WatchSilenceOptions {
	/** Longest tolerated silence, in milliseconds. */
	readonly longest: number;
	/** Called to reopen the connections. */
	readonly onSilence: () => void;
	/** Monotonic clock, in milliseconds. @default performance.now */
	readonly now?: (() => number) | undefined;
}

/**
 * Detects silently dropped connections, on which commands can go unanswered for minutes. If a command fails and nothing
 * was answered for a while, the connections are reopened.
 * @returns a function to pass each pending answer through.
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
