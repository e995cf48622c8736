import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertNode } from '../../astro/supported-versions.js';
import { inChunks, plainLine } from '../../text/words.js';
import { VERSION } from '../../version.js';
import { HELP } from './help.js';
import { readCommand, readProductLines } from './read-command.js';

/** Longest line on standard error: a hundred product ids fit in. */
const MOST_LETTERS = 8_000;
/** Whether what integrations started, while the configuration was loaded, may keep the process alive. */
let mayLinger = false;

/**
 * Runs the command `astro-product-reviews` of this process: its arguments, input and output. An error is printed, and sets
 * the exit code.
 * @example await runCommandLine(); // all that the executable file does
 */
export async function runCommandLine(): Promise<void> {
	try {
		const given = await texts();
		const written = Symbol.iterator in given ? inChunks(given) : given;
		await pipeline(Readable.from(written), process.stdout, { end: false });
	} catch (error) {
		// The reader closed the pipe, as `head` does: not an error.
		if ((error as NodeJS.ErrnoException).code !== 'EPIPE') complain(error);
	}
	if (mayLinger) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}

async function texts(): Promise<Iterable<string> | AsyncIterable<string>> {
	assertNode(process.versions.node);
	const command = readCommand(process.argv.slice(2));
	if (command === 'help') return [HELP];
	if (command === 'version') return [`${VERSION}\n`];
	if (command.name === 'explain') return (await import('./explain-command.js')).explainCode(command.pids[0]);
	const readsInput = ['invalidate', 'publish', 'refresh'].includes(command.name);
	const isFromInput = readsInput && command.pids.length === 1 && command.pids[0] === '-';
	const pids = isFromInput ? await readProductLines(process.stdin) : command.pids;
	// Loaded only now: an old Node cannot load it at all.
	if (command.name === 'doctor') {
		const { doctorCommand } = await import('./doctor-command.js');
		mayLinger = true;
		return doctorCommand(command, process);
	}
	if (command.name === 'publish') {
		const { publishCommand } = await import('./publish-command.js');
		return publishCommand({ ...command, pids }, process);
	}
	if (command.name === 'refresh') {
		const { refreshCommand } = await import('./refresh-command.js');
		mayLinger = true;
		return refreshCommand({ ...command, pids }, process);
	}
	if (command.name === 'merge') {
		const { mergeCommand } = await import('./merge-command.js');
		mayLinger = true;
		return mergeCommand(command, process);
	}
	if (command.name === 'store push' || command.name === 'store pull') {
		const { snapshotCommand } = await import('./snapshot-command.js');
		mayLinger = command.name === 'store pull';
		return snapshotCommand(command, process);
	}
	const { runCommand } = await import('./run-command.js');
	return runCommand({ ...command, name: command.name, pids }, { cwd: process.cwd(), now: Date.now() });
}

function complain(error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	const hint = error instanceof Error && 'hint' in error ? `\n${error.hint}` : '';
	for (const line of (message + hint).split('\n')) process.stderr.write(`${plainLine(line, MOST_LETTERS)}\n`);
	process.exitCode = 1;
}
