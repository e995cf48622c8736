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
	| 'invalidate'
	| 'report';
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
	'store',
	'cache-dir',
] as const;

/** Options of commands that do not read the configuration, which knows where the store is. */
const PLACE = ['store', 'cache-dir'] as const;

/** What a command takes. */
interface Command {
	readonly name: CommandName;
	/** How many product ids, or folders. */
	readonly least: number;
	readonly most: number;
	readonly options: readonly Option[];
}

/** Every command. All of them have --root. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
	(
		[
			{ name: 'doctor', least: 0, most: 0, options: ['json', 'product'] },
			{
				name: 'publish',
				least: 0,
				most: Number.POSITIVE_INFINITY,
				options: ['json', 'all', 'then', 'else', 'dry-run', 'index-now', ...PLACE],
			},
			{ name: 'refresh', least: 0, most: Number.POSITIVE_INFINITY, options: ['json', 'all'] },
			{
				name: 'merge',
				least: 1,
				most: Number.POSITIVE_INFINITY,
				options: ['json', 'out', 'dry-run', 'cache-dir'],
			},
			{ name: 'store ls', least: 0, most: 0, options: ['json', 'limit', ...PLACE] },
			{ name: 'store show', least: 1, most: 1, options: ['json', ...PLACE] },
			{ name: 'store rm', least: 1, most: Number.POSITIVE_INFINITY, options: PLACE },
			{ name: 'store vacuum', least: 0, most: 0, options: PLACE },
			{ name: 'invalidate', least: 1, most: Number.POSITIVE_INFINITY, options: ['json', 'all', ...PLACE] },
			{ name: 'report', least: 0, most: 0, options: ['json', 'html', ...PLACE] },
		] as const
	).map((command) => [command.name, command]),
);
