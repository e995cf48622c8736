#!/usr/bin/env node
import { messageOf } from './errors.js';
import { formatLine, HELP, openLog, readCommand, VERSION } from './node/command-line.js';
import { startReceiver } from './node/start-receiver.js';

try {
	const command = readCommand(process.argv.slice(2), process.env);
	if (command === 'help') process.stdout.write(HELP);
	else if (command === 'version') process.stdout.write(`${VERSION}\n`);
	else {
		const onLog = (line: string) =>
			void process.stdout.write(formatLine(line, process.stdout.isTTY === true));
		const log = await openLog(command, onLog);
		const receiver = await startReceiver({ ...command, log, onLog });
		onLog(`Listening at ${receiver.url}; status at ${new URL('/status', receiver.url)}`);
		let isEnding = false;
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.on(signal, () => {
				// The first signal lets a running rebuild finish; the second does not.
				onLog(isEnding ? 'Shutting down now.' : 'Shutting down; a running rebuild is allowed to finish.');
				void receiver.close(isEnding ? 0 : undefined);
				isEnding = true;
			});
		}
	}
} catch (error) {
	process.stderr.write(`${messageOf(error)}\n`);
	process.exitCode = 1;
}
