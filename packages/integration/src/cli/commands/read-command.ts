import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { CommandError } from '../../errors.js';
import type { Place } from './locate-store.js';

/** What the command line asks for. */
export interface CommandLine {
	readonly name: CommandName;
	/** Product ids; folders for a merge. */
	readonly pids: readonly string[];
	readonly place: Place;
	/** Whether it applies to every stored product. */
	readonly isAll: boolean;
	/** Whether to print for programs. */
	readonly json: boolean;
	/** Whether to write a page, and to which file. */
	readonly html: { readonly file: string | undefined } | undefined;
	/** Most lines. */
	readonly limit: number | undefined;
	/** Whether to do nothing, and to say what would be done. */
	readonly isDryRun: boolean;
	/** Shell command that gets the changed files. */
	readonly thenCommand: string | undefined;
	/** Shell command that builds what cannot be published. */
	readonly elseCommand: string | undefined;
	/** Whether search engines are told which pages changed. */
	readonly indexNow: boolean;
	/** The folder that a merge writes. */
	readonly out: string | undefined;
	/** The product that is diagnosed. */
	readonly product: string | undefined;
	/** Address of Redis, or the variable that has it. */
	readonly redis: { readonly url: string } | { readonly env: string } | undefined;
}

const SEE_HELP = 'Run astro-product-reviews --help for all commands and options.';

/**
 * Reads the arguments of the command line.
 * @throws CommandError for an unknown command or option, or an invalid value; the message names it.
 */
export function readCommand(args: readonly string[]): CommandLine | 'help' | 'version' {
	const { values, positionals } = parse(args);
	if (values.help) return 'help';
	if (values.version) return 'version';
	const words = positionals[0] === 'store' ? 2 : 1;
	const given = positionals.slice(0, words).join(' ');
	const rest = positionals.slice(words);
	// `parseArgs` knows no options that may have a value, so the file after --html is among the other words.
	const [page, pids] = values.html && given === 'report' ? [pageFile(rest), []] : [undefined, rest];
	const command = COMMANDS.get(given);
	if (given === 'store') throw misused('"store" needs a subcommand: ls, show, rm, vacuum, push or pull.');
	if (!command)
		throw misused(given === '' ? 'No command given.' : `Unknown command "${withoutQuery(given)}".`);
	const isAll = values.all ?? false;
	if (isAll && pids.length > 0) throw misused('Give either --all or product ids, not both.');
	const { noun = 'product id' } = command;
	if (!isAll && pids.length < command.least) throw misused(`"${given}" needs a ${noun}.`);
	if (pids.length > command.most) {
		const most = command.most === 0 ? `no ${noun}` : `one ${noun}`;
		throw misused(`"${given}" takes ${most}, but "${withoutQuery(pids[command.most])}" was given.`);
	}
	if (values.html && values.json) throw misused('Give either --html or --json, not both.');
	for (const option of OPTIONS) {
		if (values[option] !== undefined && !command.options.includes(option)) {
			throw misused(`"${given}" has no option --${option}.`);
		}
	}
	return {
		name: command.name,
		pids: [...new Set(pids)],
		place: placeOf(values),
		isAll,
		json: values.json ?? false,
		html: values.html ? { file: page } : undefined,
		limit: values.limit === undefined ? undefined : wholeNumber('limit', values.limit),
		isDryRun: values['dry-run'] ?? false,
		thenCommand: shellCommand('then', values.then),
		elseCommand: shellCommand('else', values.else),
		indexNow: values['index-now'] ?? false,
		product: values.product,
		out: values.out,
		redis: redisOf(values),
	};
}

/**
 * Product ids from a stream, one per line; empty lines are skipped.
 * @throws CommandError if there are none.
 */
export async function readProductLines(stream: NodeJS.ReadableStream): Promise<string[]> {
	const lines = (await text(stream)).split(/\r?\n/).filter((line) => line.trim() !== '');
	if (lines.length === 0) throw misused('Standard input has no product ids. Write one per line.');
	return [...new Set(lines)];
}

/** The query of a presigned URL is a secret. */
function withoutQuery(text = ''): string {
	return text.replace(/(:\/\/[^?]*\?).*/s, '$1...');
}

function parse(args: readonly string[]) {
	const string = { type: 'string' } as const;
	const flag = { type: 'boolean' } as const;
	const options = {
		store: string,
		root: string,
		'cache-dir': string,
		config: string,
		mode: string,
		limit: string,
		// biome-ignore lint/suspicious/noThenProperty: nobody awaits it.
		then: string,
		else: string,
		'dry-run': flag,
		'index-now': flag,
		product: string,
		out: string,
		redis: string,
		'redis-env': string,
		json: flag,
		html: flag,
		all: flag,
		help: { ...flag, short: 'h' },
		version: flag,
	} as const;
	try {
		return parseArgs({ args: [...args], allowPositionals: true, options });
	} catch (cause) {
		throw misused(cause instanceof Error ? cause.message : String(cause), cause);
	}
}

/** The ending keeps a mistyped command from replacing another file. */
function pageFile([file, ...others]: readonly string[]): string | undefined {
	if (others.length > 0) throw misused(`--html takes one file, but "${others[0]}" was given as well.`);
	if (file !== undefined && !/\.html?$/i.test(file)) {
		throw misused(`--html takes the path of a file that ends with .html, not "${file}".`);
	}
	return file;
}

function placeOf(values: ReturnType<typeof parse>['values']): Place {
	const { store, root, 'cache-dir': cacheDir, config, mode, product, out } = values;
	if (store !== undefined && (root !== undefined || cacheDir !== undefined)) {
		throw misused('--store is the file itself. Leave out --root and --cache-dir.');
	}
	for (const [name, value] of Object.entries({
		store,
		root,
		'cache-dir': cacheDir,
		config,
		mode,
		product,
		out,
	})) {
		if (value?.trim() === '') throw misused(`--${name} is empty.`);
	}
	return { store, root, cacheDir, config, mode };
}

function redisOf({ redis, 'redis-env': env }: ReturnType<typeof parse>['values']): CommandLine['redis'] {
	if (redis !== undefined && env !== undefined)
		throw misused('Give either --redis or --redis-env, not both.');
	if (redis !== undefined) return { url: redis };
	return env === undefined ? undefined : { env };
}

function shellCommand(name: string, value: string | undefined): string | undefined {
	if (value?.trim() === '') throw misused(`--${name} is empty. It takes a command.`);
	return value;
}

function wholeNumber(name: string, value: string): number {
	const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
	if (number >= 1 && number <= Number.MAX_SAFE_INTEGER) return number;
	throw misused(`--${name} takes a whole number from 1, not "${value}".`);
}

function misused(message: string, cause?: unknown): CommandError {
	return new CommandError('PR_USAGE', message, SEE_HELP, { cause });
}

/** The commands, by the words that call them. */
type CommandName =
	| 'doctor'
	| 'publish'
	| 'refresh'
	| 'merge'
	| 'store ls'
	| 'store show'
	| 'store rm'
	| 'store vacuum'
	| 'store push'
	| 'store pull'
	| 'invalidate'
	| 'report'
	| 'explain';

type Option = (typeof OPTIONS)[number];

/** The options that only some commands have. */
const OPTIONS = [
	'json',
	'html',
	'limit',
	'all',
	'then',
	'else',
	'dry-run',
	'index-now',
	'product',
	'out',
	'redis',
	'redis-env',
	'store',
	'cache-dir',
	'config',
	'mode',
] as const;

/** Options of commands that do not read the configuration, which knows where the store is. */
const PLACE = ['store', 'cache-dir'] as const;

/** Options of commands that do. */
const SITE = ['config', 'mode'] as const;

/** What a command takes. */
interface Command {
	readonly name: CommandName;
	/** How many words follow it. */
	readonly least: number;
	readonly most: number;
	/** What these words are. @default product ids */
	readonly noun?: string;
	readonly options: readonly Option[];
}

const MANY = Number.POSITIVE_INFINITY;

const FILE_OR_URL = { least: 1, most: 1, noun: 'file or URL' };

/** Every command. All of them have --root. */
const TABLE: readonly Command[] = [
	{ name: 'doctor', least: 0, most: 0, options: ['json', 'product', ...SITE] },
	{
		name: 'publish',
		least: 0,
		most: MANY,
		options: ['json', 'all', 'then', 'else', 'dry-run', 'index-now', ...PLACE],
	},
	{ name: 'refresh', least: 0, most: MANY, options: ['json', 'all', 'redis', 'redis-env', ...SITE] },
	{
		name: 'merge',
		least: 1,
		most: MANY,
		noun: 'folder for each shard',
		options: ['json', 'out', 'dry-run', ...SITE],
	},
	{ name: 'store ls', least: 0, most: 0, options: ['json', 'limit', ...PLACE] },
	{ name: 'store show', least: 1, most: 1, options: ['json', ...PLACE] },
	{ name: 'store rm', least: 1, most: MANY, options: PLACE },
	{ name: 'store vacuum', least: 0, most: 0, options: PLACE },
	{ name: 'store push', ...FILE_OR_URL, options: ['json', ...PLACE] },
	{ name: 'store pull', ...FILE_OR_URL, options: ['json', 'store', ...SITE] },
	{ name: 'invalidate', least: 1, most: MANY, options: ['json', 'all', ...PLACE] },
	{ name: 'explain', least: 1, most: 1, noun: 'error code', options: [] },
	{ name: 'report', least: 0, most: 0, options: ['json', 'html', ...PLACE] },
];

/** Every command, by its words. */
const COMMANDS: ReadonlyMap<string, Command> = new Map(TABLE.map((command) => [command.name, command]));
