#!/usr/bin/env node
try {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major < 22 || (major === 22 && minor < 13)) {
		throw new Error(
			`product-reviews-sandbox needs Node 22.13 or later, but this is Node ${process.versions.node}. Install the current LTS version: https://nodejs.org`,
		);
	}
	// An older one cannot load these.
	const { greeting, HELP, readCommand } = await import('./command.js');
	const { startSandbox } = await import('./start-sandbox.js');
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
