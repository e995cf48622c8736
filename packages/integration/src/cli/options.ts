/** An option, as its help says it. */
export interface Option {
	/** The name of its value; without it, the option is a switch. */
	readonly value?: string;
	readonly help: string;
	readonly short?: string;
}

/** Every option of every command. */
export const OPTIONS = {
	product: { value: 'pid', help: 'Looks at this product (default: the first of the product list)' },
	all: { help: 'Takes all products' },
	// biome-ignore lint/suspicious/noThenProperty: nobody awaits it.
	then: {
		value: 'command',
		help: 'Runs a command with the changed files, one per line, on its standard input; REVIEWS_OUT_DIR is the folder that they are in',
	},
	else: { value: 'command', help: 'Runs a command, such as "npm run build", if pages need a rebuild' },
	'index-now': {
		help: "Tells search engines by IndexNow which pages changed; the output folder has the key, in a file <key>.txt that contains it; the variable INDEX_NOW_ENDPOINT replaces the service's address",
	},
	feeds: {
		help: 'Also writes the files of all products: the product ratings feed and the ratings, by the configuration',
	},
	'dry-run': { help: 'Changes nothing, and says what would change' },
	'cache-only': {
		help: 'Brings only the cache up to date, by the configuration and without any pages',
	},
	redis: {
		value: 'url',
		help: 'With --cache-only, shares the work with all workers that are started with the same command line, through a Redis; needs npm install bullmq ioredis',
	},
	'redis-env': {
		value: 'name',
		help: 'The same; names the variable with the URL, which keeps a password out of the command line',
	},
	out: { value: 'folder', help: 'Folder of the whole site (default: the project)' },
	limit: { value: 'number', help: 'Prints at most so many products (default: all)' },
	html: {
		help: 'Writes it as a page to read in a browser (default: product-reviews-report.html beside it)',
	},
	json: { help: 'Prints for programs' },
	root: { value: 'folder', help: 'The Astro project (default: the working directory)' },
	config: { value: 'file', help: 'The Astro configuration, relative to the project' },
	mode: { value: 'mode', help: 'Which .env files are read (default: production)' },
	'cache-dir': {
		value: 'folder',
		help: "The integration's option cacheDir, relative to the project (default: node_modules/.astro/product-reviews)",
	},
	'cache-file': { value: 'file', help: "The cache's file itself, instead of --root and --cache-dir" },
	help: { short: 'h', help: 'This text' },
	version: { help: 'Version of this package' },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof OPTIONS;

export type Options = {
	readonly [Name in OptionName]?: (typeof OPTIONS)[Name] extends { value: string } ? string : boolean;
};

export interface CommandLine {
	/** The words after the name of the command, each once. */
	readonly args: readonly string[];
	readonly options: Options;
}

/** Texts to print. The work may be done while they are read. */
export type Texts = Iterable<string> | AsyncIterable<string>;
