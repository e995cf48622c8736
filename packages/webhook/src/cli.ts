#!/usr/bin/env node
import { messageOf } from './errors.js';
import { createLogger } from './node/command-line/create-logger.js';
import { HELP } from './node/command-line/help.js';
import { openCollector } from './node/command-line/open-collector.js';
import { readCommand } from './node/command-line/read-command.js';
import { startReceiver } from './node/start-receiver.js';
import { VERSION } from './version.js';

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
