#!/usr/bin/env node
import { greeting, HELP, readCommand } from './command.js';
import { startSandbox } from './server.js';

try {
	const command = readCommand(process.argv.slice(2));
	if (command === 'help') {
		process.stdout.write(HELP);
	} else {
		const sandbox = await startSandbox({ ...command, log: (line) => process.stdout.write(`${line}\n`) });
		// The first signal closes the sandbox; the process then exits because nothing is left to do.
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
		process.stdout.write(greeting(sandbox));
	}
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
}
