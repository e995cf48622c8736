import {
	type CommandLine,
	hanging,
	OPTIONS,
	type Option,
	type OptionName,
	type Texts,
	wrap,
} from './terminal.js';

/** A command: how it is parsed, how its help reads, and the module that runs it. */
export interface Command {
	readonly name: string;
	/** The words after the command's name: `[<a>]` for at most one, `<a>` for one, `<a>...` for many. */
	readonly usage?: string;
	/** Noun for one of these words, such as "product ID". */
	readonly noun?: string;
	/** Besides --root and --help. */
	readonly options: readonly OptionName[];
	readonly summary: string;
	readonly help: readonly string[];
	readonly run: (line: CommandLine) => Promise<Texts>;
}

/** Options of commands that do not read the configuration: they find the cache as the last build left it. */
const CACHE = ['cache-file'] as const;

/** Options of commands that read the configuration. */
const SITE = ['config', 'mode'] as const;

const BY_LINE = 'With - as the only ID, reads IDs from standard input, one per line.';

/** Every command. What a command needs is loaded when it runs: an old Node could not load all of it. */
export const COMMANDS: readonly Command[] = [
	{
		name: 'update',
		usage: '[<pid>...]',
		noun: 'product ID',
		options: ['all', 'then', 'else', 'feeds', 'dry-run', 'json', ...SITE, ...CACHE],
		summary: 'Write new reviews into the built pages and the cache',
		help: [
			'Requests products from the service, and writes changed reviews into the pages of the last build. Without IDs, takes the products in the variable REVIEWS_CHANGED, or else the products that are marked as changed. With --all, takes every product that pages show.',
			BY_LINE,
			'--config and --mode are for --feeds, which reads the Astro configuration.',
			'Exit code: 0 if everything is up to date, 3 if pages need a rebuild and --else was not given, 1 if the service or a command failed.',
		],
		run: async (line) => (await import('./update.js')).update(line),
	},
	{
		name: 'refresh',
		usage: '[<pid>...]',
		noun: 'product ID',
		options: ['all', 'json', ...SITE],
		summary: 'Bring the cache up to date, and no pages',
		help: [
			'Requests products whose ratings changed or that are too old, and always the given products. With --all, requests every product of the list.',
			BY_LINE,
			'Exit code: 1 if the service failed for a product, otherwise 0.',
		],
		run: async (line) => (await import('./refresh.js')).refresh(line),
	},
	{
		name: 'doctor',
		options: ['product', 'json', ...SITE],
		summary: 'Find out why a site shows no reviews or old ones',
		help: [
			'Checks versions, configuration, service, cache and the last build, and lists what to do. Does not change anything.',
			'Exit code: 1 if there is a problem, otherwise 0.',
		],
		run: async (line) => (await import('./doctor.js')).doctor(line),
	},
	{
		name: 'report',
		usage: '[<file>]',
		noun: 'file',
		options: ['html', 'json', ...CACHE],
		summary: 'Print the report of the last build, or write it as a page',
		help: [
			'Prints how the last build went, and the products for which the service failed. With --html, the file is the page to write.',
		],
		run: async (line) => (await import('./report.js')).report(line),
	},
	{
		name: 'cache ls',
		options: ['limit', 'json', ...CACHE],
		summary: 'List the cached products',
		help: ['Prints state, age and compressed size of every cached product.'],
		run: async (line) => (await import('./cache.js')).listProducts(line),
	},
	{
		name: 'cache show',
		usage: '<pid>',
		noun: 'product ID',
		options: CACHE,
		summary: 'Print everything that is cached about a product',
		help: [
			'Prints as JSON when each response was fetched and last used, its state and size, and its record.',
		],
		run: async (line) => (await import('./cache.js')).showProduct(line),
	},
	{
		name: 'cache clear',
		usage: '<pid>...',
		noun: 'product ID',
		options: CACHE,
		summary: 'Delete products; the next build fetches them',
		help: ['Deletes everything that is cached about products.', BY_LINE],
		run: async (line) => (await import('./cache.js')).clearProducts(line),
	},
	{
		name: 'cache invalidate',
		usage: '<pid>...',
		noun: 'product ID',
		options: ['all', 'json', ...CACHE],
		summary: 'Mark products as changed',
		help: [
			'The next build or update requests them again, and keeps their cached reviews if the service fails. A running astro dev requests them on the next visit. With --all, marks every cached product; the next build then accepts that many products have lost all their reviews.',
			BY_LINE,
		],
		run: async (line) => (await import('./cache.js')).invalidateProducts(line),
	},
	{
		name: 'explain',
		usage: '<code>',
		noun: 'error code',
		options: [],
		summary: 'Explain an error code, and what to do',
		help: ['A code begins with PR_. You find it at the end of each error and warning.'],
		run: async ({ args: [code = ''] }) => [(await import('./catalog.js')).explain(code)],
	},
];

/** In columns. */
const INDENT = 28;

export function optionsOf({ options }: Command): readonly OptionName[] {
	return [...options, 'root', 'help'];
}

export const HELP = `Diagnoses and updates the product reviews in an Astro site.

Usage: astro-product-reviews <command> [options]

${COMMANDS.flatMap(({ name, usage, summary }) => columns([name, usage].filter(Boolean).join(' '), summary)).join('\n')}

  astro-product-reviews <command> --help   All options of a command
  astro-product-reviews --version          Version of this package

Put an ID that starts with a dash after --:
  astro-product-reviews cache show -- -7
`;

export function helpOf(command: Command): string {
	const { name, usage, help } = command;
	const lines = optionsOf(command).flatMap((option) => {
		const { value, help, short }: Option = OPTIONS[option];
		return columns(`--${option}${value ? ` <${value}>` : ''}${short ? `, -${short}` : ''}`, help);
	});
	const paragraphs = help.map((paragraph) => `${wrap(paragraph, 0).join('\n')}\n`);
	const line = ['astro-product-reviews', name, usage, '[options]'].filter(Boolean).join(' ');
	return [`Usage: ${line}\n`, ...paragraphs, `${lines.join('\n')}\n`].join('\n');
}

function columns(term: string, meaning: string): string[] {
	const head = `  ${term.padEnd(INDENT - 2)}`;
	if (head.length <= INDENT) return hanging(head, meaning, INDENT);
	return [head, ...hanging(' '.repeat(INDENT), meaning, INDENT)];
}
