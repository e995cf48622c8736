/**
 * Writes log lines: plain text on a terminal, JSON elsewhere.
 * @param now milliseconds since 1970.
 */
export function createLogger(
	write: (text: string) => void,
	isTerminal: boolean,
	now: () => number = Date.now,
): (message: string) => void {
	return (message) => {
		const time = new Date(now()).toISOString();
		const line = isTerminal
			? `${time.slice(11, 19)} ${message.replace(CONTROL, '')}`
			: JSON.stringify({ time, message });
		write(`${line}\n`);
	};
}

/** Output of a command may contain sequences that control the terminal. Colours do not belong in a log either. */
const CONTROL =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes.
	/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
