import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { assertNode } from '../astro/supported-versions.js';
import { inChunks, nearest, plainLine } from '../base/words.js';
import { VERSION } from '../constants.js';
import { COMMANDS, type Command, HELP, helpOf, optionsOf } from './commands.js';
import {
	type CommandLine,
	misused,
	OPTIONS,
	type Option,
	type OptionName,
	type Options,
	type Texts,
} from './terminal.js';

/** In UTF-16 code units: a hundred product IDs fit in. */
const MAX_LENGTH = 8_000;

/** Runs the command of this process: its arguments, input and output. An error is printed, and sets the exit code. */
export async function runCommandLine(): Promise<void> {
	let command: Command | undefined;
	try {
		assertNode(process.versions.node);
		const read = readCommandLine(process.argv.slice(2));
		if (typeof read === 'string') await print([read]);
		else {
			({ command } = read);
			await print(await command.run({ ...read, args: await withInput(command, read.args) }));
		}
	} catch (error) {
		// The reader closed the pipe, as `head` does: not an error.
		if ((error as NodeJS.ErrnoException).code !== 'EPIPE') complain(error);
	}
	// Integrations of the configuration may have started something that would keep the process alive.
	if (command?.options.includes('config'))
		process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}

async function print(texts: Texts): Promise<void> {
	const written = Symbol.iterator in texts ? inChunks(texts) : texts;
	await pipeline(Readable.from(written), process.stdout, { end: false });
}

function complain(error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	const hint = error instanceof Error && 'hint' in error && error.hint ? `\n${error.hint}` : '';
	for (const line of (message + hint).split('\n')) process.stderr.write(`${plainLine(line, MAX_LENGTH)}\n`);
	process.exitCode = 1;
}

/**
 * Reads the arguments of the command line.
 * @returns a command, or a text to print.
 * @throws CommandError for an unknown command or option, or an invalid value; the message names it.
 */
function readCommandLine(given: readonly string[]): (CommandLine & { readonly command: Command }) | string {
	const { options, words } = parse(given);
	if (options.version) return `${VERSION}\n`;
	const wantsHelp = options.help || words[0] === 'help' || given.length === 0;
	if (words[0] === 'help') words.shift();
	if (wantsHelp && (words.length === 0 || (words.length === 1 && words[0] === 'cache'))) return HELP;
	const command = findCommand(words);
	if (wantsHelp) return helpOf(command);
	const { name, usage = '', noun = 'argument' } = command;
	const least = usage.startsWith('<') ? 1 : 0;
	const most = usage.includes('...') ? Number.POSITIVE_INFINITY : usage ? 1 : 0;
	const args = [...new Set(words.slice(name.split(' ').length))];
	if (options.all && args.length > 0) throw misused('Give either --all or product IDs, not both.');
	if (!options.all && args.length < least) {
		throw misused(`"${name}" needs ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}.`);
	}
	if (args.length > most) {
		const allowed = most === 0 ? 'no' : 'one';
		throw misused(`"${name}" takes ${allowed} ${noun}, but "${args[most]}" was given.`);
	}
	for (const [option, value] of Object.entries(options)) {
		if (!optionsOf(command).includes(option as OptionName))
			throw misused(`"${name}" has no option --${option}.`);
		if (typeof value === 'string' && value.trim() === '') throw misused(`--${option} is empty.`);
	}
	if (options['cache-file'] !== undefined && options.root !== undefined) {
		throw misused('--cache-file is the file itself. Leave out --root.');
	}
	return { command, args, options };
}

function parse(given: readonly string[]) {
	const known = Object.entries<Option>(OPTIONS).map(([name, { value, short }]) => [
		name,
		{ type: value === undefined ? 'boolean' : 'string', ...(short && { short }) },
	]);
	try {
		const options = Object.fromEntries(known) as ParseArgsOptionsConfig;
		const { values, positionals } = parseArgs({ args: [...given], allowPositionals: true, options });
		return { options: values as Options, words: positionals };
	} catch (cause) {
		const { message, code } = cause as NodeJS.ErrnoException;
		const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
		if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || unknown === undefined) throw misused(message, cause);
		const names = Object.keys(OPTIONS).map((name) => `--${name}`);
		throw misused(`Unknown option "--${unknown}".${suggestion(`--${unknown}`, names)}`, cause);
	}
}

function findCommand(words: readonly string[]): Command {
	const [first = ''] = words;
	const given = words.slice(0, first === 'cache' ? 2 : 1).join(' ');
	const command = COMMANDS.find(({ name }) => name === given);
	if (command) return command;
	if (given === '') throw misused('No command given.');
	const names = COMMANDS.map(({ name }) => name);
	const ofCache = names.filter((name) => name.startsWith('cache '));
	if (given === 'cache')
		throw misused(`"cache" needs one of these after it: ${ofCache.join(', ').replaceAll('cache ', '')}.`);
	throw misused(`Unknown command "${given}".${suggestion(given, names)}`);
}

function suggestion(given: string, known: readonly string[]): string {
	const meant = nearest(given, known);
	return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** Replaces `-` by the ids on standard input, one per line. */
async function withInput(command: Command, args: readonly string[]): Promise<readonly string[]> {
	if (!command.usage?.includes('<pid>...') || args.length !== 1 || args[0] !== '-') return args;
	const lines = (await text(process.stdin)).split(/\r?\n/).filter((line) => line.trim() !== '');
	if (lines.length === 0) throw misused('Standard input has no product IDs. Write one per line.');
	return [...new Set(lines)];
}
