#!/usr/bin/env node
import { messageOf } from './errors.js';

try {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major < 22 || (major === 22 && minor < 13)) {
		throw new Error(
			`product-reviews-webhook needs Node 22.13 or later, but this is Node ${process.versions.node}. Install the current LTS version: https://nodejs.org`,
		);
	}
	// An older one cannot load these.
	const { formatLine, HELP, openLog, readCommand, VERSION } = await import('./node/command-line.js');
	const { startReceiver } = await import('./node/start-receiver.js');
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
				onLog(isEnding ? 'Shutting down now.' : 'Shutting down; a running update is allowed to finish.');
				void receiver.close(isEnding ? 0 : undefined);
				isEnding = true;
			});
		}
	}
} catch (error) {
	process.stderr.write(`${messageOf(error)}\n`);
	process.exitCode = 1;
}
