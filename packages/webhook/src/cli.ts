#!/usr/bin/env node
import { messageOf } from './errors.js';
import { HELP } from './node/command-line/help.js';
import { openCollector } from './node/command-line/open-collector.js';
import { readCommand } from './node/command-line/read-command.js';
import { startReceiver } from './node/start-receiver.js';

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

/** Version of the package. */
const VERSION = '0.1.0';

try {
	const command = readCommand(process.argv.slice(2), process.env);
	if (command === 'help') process.stdout.write(HELP);
	else if (command === 'version') process.stdout.write(`${VERSION}\n`);
	else {
		const log = createLogger((text) => process.stdout.write(text), process.stdout.isTTY === true);
		const collector = await openCollector(command, log);
		const receiver = await startReceiver({ ...command, collector, onLog: log });
		log(`Listening at ${receiver.url}; status at ${new URL('/status', receiver.url)}`);
		let isEnding = false;
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.on(signal, () => {
				// The first signal lets a running rebuild finish; the second does not.
				log(isEnding ? 'Shutting down now.' : 'Shutting down; a running rebuild is allowed to finish.');
				void receiver.close(isEnding ? 0 : undefined);
				isEnding = true;
			});
		}
	}
} catch (error) {
	process.stderr.write(`${messageOf(error)}\n`);
	process.exitCode = 1;
}
