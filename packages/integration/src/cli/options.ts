/** An option, with the text of its help. */
export interface Option {
	/** The name of the value; without a name, the option is a switch. */
	readonly value?: string;
	readonly help: string;
	readonly short?: string;
}

/** Every option of every command. */
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

export interface CommandLine {
	/** The words after the name of the command, each once. */
	readonly args: readonly string[];
	readonly options: Options;
}

/** Texts to print. The work may be done while they are read. */
export type Texts = Iterable<string> | AsyncIterable<string>;
