/** The commands, by the words that call them. */
export type CommandName =
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
export const OPTIONS = [
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
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
	TABLE.map((command) => [command.name, command]),
);
