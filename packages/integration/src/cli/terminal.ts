import { relative, resolve } from 'node:path';
import { amount, plainLine } from '../base/words.js';
import { CommandError } from '../errors.js';

export interface Option {
	/** The name of the value; without a name, the option is a switch. */
	readonly value?: string;
	readonly help: string;
	readonly short?: string;
}

export const OPTIONS = {
	product: { value: 'pid', help: 'Checks this product (default: the first of the product list)' },
	all: { help: 'Takes all products' },
	// biome-ignore lint/suspicious/noThenProperty: nobody awaits it.
	then: {
		value: 'command',
		help: 'Runs a command if files changed; it gets their paths on standard input, one per line, and their folder in REVIEWS_OUT_DIR',
	},
	else: { value: 'command', help: 'Runs a command, such as "npm run build", if pages need a rebuild' },
	feeds: { help: 'Also writes the feeds of all products, as the feeds option says' },
	'dry-run': { help: 'Only prints what would change' },
	limit: { value: 'number', help: 'Maximum number of products to print (default: all)' },
	html: {
		help: 'Writes the report as a page to read in a browser (default: product-reviews-report.html beside it)',
	},
	json: { help: 'Prints JSON for programs' },
	root: { value: 'folder', help: 'The Astro project (default: the working directory)' },
	config: { value: 'file', help: 'The Astro configuration, relative to the project' },
	mode: { value: 'mode', help: 'Mode whose .env files are read (default: production)' },
	'cache-file': { value: 'file', help: 'The file of the cache (default: that of the last build)' },
	help: { short: 'h', help: 'Prints this text' },
	version: { help: 'Version of this package' },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof OPTIONS;

export type Options = {
	readonly [Name in OptionName]?: (typeof OPTIONS)[Name] extends { value: string } ? string : boolean;
};

export function rootOf({ root = '.' }: Options): string {
	return resolve(root);
}

export interface CommandLine {
	/** The words after the name of the command, each once. */
	readonly args: readonly string[];
	readonly options: Options;
}

/** Texts to print. The work may be done while they are read. */
export type Texts = Iterable<string> | AsyncIterable<string>;

/** In columns. */
const WIDTH = 80;

/** In UTF-16 code units. */
const MAX_LENGTH = 500;

const MAX_LISTED = 20;

/** In milliseconds. */
const PAUSE = 1_000;

/**
 * Splits a text into lines that leave room for an indent. A longer word has a line of its own; a number stays with its unit.
 * @example wrap('Looks at this product', 4) // lines of at most 76 columns
 */
export function wrap(text: string, indent: number): string[] {
	const lines: string[] = [];
	for (const word of text.split(/(?<!\d) | (?!(?:ms|s|min|h|d|B|KB|MB)\b)/)) {
		const last = lines.at(-1);
		if (last !== undefined && last.length + 1 + word.length <= WIDTH - indent) {
			lines[lines.length - 1] = `${last} ${word}`;
		} else lines.push(word);
	}
	return lines;
}

/** Writes a text behind a head of the same width as the indent of its further lines. */
export function hanging(head: string, text: string, indent: number): string[] {
	const [first = '', ...rest] = wrap(text, indent);
	return [head + first, ...rest.map((line) => ' '.repeat(indent) + line)];
}

/** Names a path in a message: quoted, and relative to the working directory. */
export function namePath(file: string): string {
	return `"${plainLine(relative(process.cwd(), file) || '.', MAX_LENGTH)}"`;
}

/** Writes a line on standard error: standard output is for the result of a command. */
export function say(line: string): void {
	process.stderr.write(`${line}\n`);
}

/**
 * Returns a function that says a line, but not more often than once a second. In a log, which nobody watches, each pause is
 * twice as long as the one before.
 */
export function sayingProgress(): (line: () => string) => void {
	let shownAt = performance.now();
	let pause = PAUSE;
	return (line) => {
		if (performance.now() - shownAt < pause) return;
		shownAt = performance.now();
		if (!process.stderr.isTTY || process.env['CI']) pause *= 2;
		say(line());
	};
}

/** Writes the first items of a list on a line each, and counts the others; --json has all of them. */
export function* listed<Item>(items: readonly Item[], describe: (item: Item) => string): Iterable<string> {
	for (const item of items.slice(0, MAX_LISTED)) yield `  ${describe(item)}\n`;
	const more = items.length - MAX_LISTED;
	if (more > 0) yield `  and ${amount(more)} more: see --json\n`;
}

/** Runs something that may print, such as the configuration, with the console's output on standard error. */
export async function onStandardError<Result>(run: () => Promise<Result>): Promise<Result> {
	const { log, info } = console;
	console.log = console.error;
	console.info = console.error;
	try {
		return await run();
	} finally {
		Object.assign(console, { log, info });
	}
}

export function misused(message: string, cause?: unknown): CommandError {
	const hint = 'Run astro-product-reviews --help, or help <command> for its options.';
	return new CommandError('PR_USAGE', message, hint, { cause });
}
