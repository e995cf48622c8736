import { type CommandLine, OPTIONS, type Option, type OptionName, type Texts } from './options.js';
import { hanging, wrap } from './terminal.js';

/** A command: how it is parsed, how its help reads, and the module that runs it. */
export interface Command {
	readonly name: string;
	/** The words after it: `[<a>]` for at most one, `<a>` for one, `<a>...` for many. */
	readonly usage?: string;
	/** What one of these words is. */
	readonly noun?: string;
	/** Besides --root and --help. */
	readonly options: readonly OptionName[];
	readonly summary: string;
	readonly help: readonly string[];
	readonly run: (line: CommandLine) => Promise<Texts>;
}

/** Options of commands that do not read the configuration, which knows where the cache is. */
const CACHE = ['cache-dir', 'cache-file'] as const;

/** Options of commands that do. */
const SITE = ['config', 'mode'] as const;

const BY_LINE = 'With - as the only id, ids are read from standard input, one per line.';

const AUTHORIZED = 'REVIEWS_SNAPSHOT_AUTHORIZATION is the header Authorization, if the server wants one.';

/** Every command. What a command needs is loaded when it runs: an old Node could not load all of it. */
export const COMMANDS: readonly Command[] = [
	{
		name: 'update',
		usage: '[<pid>...]',
		noun: 'product id',
		options: [
			...([
				'all',
				'then',
				'else',
				'index-now',
				'feeds',
				'dry-run',
				'cache-only',
				'redis',
				'redis-env',
			] as const),
			...(['json', ...SITE, ...CACHE] as const),
		],
		summary: 'Writes new reviews into the cache and the built pages',
		help: [
			'Asks the service for products, and writes what changed into the pages of the last build. Without ids, takes those of the variable REVIEWS_CHANGED, or else those that are marked as changed; with --all, every product that pages show.',
			'With --cache-only, asks for products whose ratings moved or that are too old, and always for those given; with --all, for every product of the list.',
			BY_LINE,
			'Exit code 0 if everything is up to date, 3 if pages need a rebuild and --else was not given, 1 if the service or a command failed.',
		],
		run: async (line) => (await import('./update.js')).update(line),
	},
	{
		name: 'doctor',
		options: ['product', 'json', ...SITE],
		summary: 'Says why a site shows no reviews or old ones',
		help: [
			'Checks versions, configuration, service, cache and the last build, and says what to do. Changes nothing.',
			'Exit code 1 if something is wrong.',
		],
		run: async (line) => (await import('./doctor.js')).doctor(line),
	},
	{
		name: 'merge',
		usage: '<folder>...',
		noun: 'folder for each shard',
		options: ['out', 'dry-run', 'json', ...SITE],
		summary: 'Joins the builds of all shards of a site',
		help: [
			'Joins what the builds of all shards wrote: output, cache and report. Each folder has them in the same places as the project. With --dry-run, only checks whether the shards fit together.',
		],
		run: async (line) => (await import('./merge.js')).merge(line),
	},
	{
		name: 'report',
		usage: '[<file>]',
		noun: 'file',
		options: ['html', 'json', ...CACHE],
		summary: 'Prints the report of the last build, or writes it as a page',
		help: ['Says which build wrote the last report, and where it is. The file is that of --html.'],
		run: async (line) => (await import('./report.js')).report(line),
	},
	{
		name: 'cache ls',
		options: ['limit', 'json', ...CACHE],
		summary: 'Lists the cached products',
		help: ['Prints every cached product: state, age, compressed size.'],
		run: async (line) => (await import('./cache.js')).listProducts(line),
	},
	{
		name: 'cache show',
		usage: '<pid>',
		noun: 'product id',
		options: CACHE,
		summary: 'Prints everything cached of a product, as JSON',
		help: ['When each answer was fetched and last used, its state and size, and its record.'],
		run: async (line) => (await import('./cache.js')).showProduct(line),
	},
	{
		name: 'cache clear',
		usage: '<pid>...',
		noun: 'product id',
		options: CACHE,
		summary: 'Deletes products: the next build fetches them',
		help: ['Deletes everything cached of products.', BY_LINE],
		run: async (line) => (await import('./cache.js')).clearProducts(line),
	},
	{
		name: 'cache invalidate',
		usage: '<pid>...',
		noun: 'product id',
		options: ['all', 'json', ...CACHE],
		summary: 'Marks products as changed',
		help: [
			'The next build or update asks the service for them again, and uses what is cached if the service fails; a running astro dev asks on the next visit. With --all, every cached product is marked: if many have lost all reviews, the next build believes it.',
			BY_LINE,
		],
		run: async (line) => (await import('./cache.js')).invalidateProducts(line),
	},
	{
		name: 'cache shrink',
		options: CACHE,
		summary: 'Gives the room of deleted rows back to the disk',
		help: ['Rewrites the file without the room of what was deleted.'],
		run: async (line) => (await import('./cache.js')).shrinkCache(line),
	},
	{
		name: 'cache push',
		usage: '<file|url>',
		noun: 'file or URL',
		options: ['json', ...CACHE],
		summary: 'Writes a snapshot of the cache to a file or a URL',
		help: [
			'Writes all cached reviews as a snapshot to a file, or with PUT to a URL, such as a presigned one of S3. Builds may write the cache meanwhile.',
			AUTHORIZED,
		],
		run: async (line) => (await import('./snapshot.js')).push(line),
	},
	{
		name: 'cache pull',
		usage: '<file|url>',
		noun: 'file or URL',
		options: ['json', 'cache-file', ...SITE],
		summary: 'Takes newer reviews from a snapshot',
		help: [
			'Brings the reviews of this site that are newer in a snapshot into the cache, and no others.',
			AUTHORIZED,
		],
		run: async (line) => (await import('./snapshot.js')).pull(line),
	},
	{
		name: 'explain',
		usage: '<code>',
		noun: 'error code',
		options: [],
		summary: 'Says what an error code means, and what to do',
		help: ['A code begins with PR_, and stands at the end of each error and warning.'],
		run: async ({ args: [code = ''] }) => [(await import('../errors/catalogue.js')).explain(code)],
	},
];

/** Column in which the texts of a list begin. */
const INDENT = 27;

export function optionsOf({ options }: Command): readonly OptionName[] {
	return [...options, 'root', 'help'];
}

export const HELP = `Writes product reviews into the pages of an Astro site, and looks after them.

Usage: astro-product-reviews <command> [options]

${COMMANDS.flatMap(({ name, usage, summary }) => columns([name, usage].filter(Boolean).join(' '), summary)).join('\n')}

  astro-product-reviews help <command>   All options of a command
  astro-product-reviews --version        Version of this package

Put an id that starts with a dash after --:
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
