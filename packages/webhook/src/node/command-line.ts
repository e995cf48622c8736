import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ChangeLog } from '../change-log.js';
import { WebhookConfigurationError } from '../errors.js';
import { messages } from '../messages.js';
import { deployHook, githubDispatch } from '../triggers.js';
import { type ReadVariable, readRequired, readVerifiers } from '../verify.js';
import { command, commandEnvironment } from './command.js';
import { openSqliteLog } from './sqlite-log.js';
import type { ReceiverOptions } from './start-receiver.js';

/** Version of the package. */
export const VERSION = '0.1.0';

/** An option of the command line, as parsed and as shown by `--help`. */
interface Option {
	/** Name of its value; an option without one is a switch. */
	readonly value?: string;
	readonly help: string;
	/** Used if it is left out. */
	readonly default?: string;
	/** Shown as the default, if another module fills it in. */
	readonly shown?: string;
}

/** Options by the heading under which the help lists them. */
const SECTIONS = {
	'Secrets are read from the environment; the options name the variables.': {
		'secret-env': {
			value: 'NAME',
			default: 'REVIEWS_WEBHOOK_SECRET',
			help: 'webhook signing secret; for key rotation: several,\nseparated by spaces',
		},
		'key-header': { value: 'NAME', help: 'for senders that cannot sign: header of a fixed key' },
		'key-env': { value: 'NAME', default: 'REVIEWS_WEBHOOK_KEY', help: '... and the key' },
	},
	'How to rebuild: one of': {
		run: {
			value: 'COMMAND',
			help: 'a shell command; gets the changes in REVIEWS_CHANGED;\nthe secrets above are not in its environment',
		},
		'deploy-hook-env': { value: 'NAME', help: "URL of a host's deploy hook" },
		github: { value: 'OWNER/NAME', help: 'repository to send a repository_dispatch to' },
		'github-token-env': { value: 'NAME', default: 'GITHUB_DISPATCH_TOKEN', help: '... with this token' },
	},
	Also: {
		forward: {
			value: 'URL',
			help: 'passes each event on, such as to the endpoint of a\nserver that renders pages on demand',
		},
	},
	When: {
		debounce: { value: 'TIME', shown: '30s', help: 'time without events before a rebuild' },
		'max-wait': { value: 'TIME', shown: '5m', help: 'longest wait of the first event' },
		immediate: {
			help: 'instead: starts with the first event, for what takes\nseconds; events meanwhile start one more run. Exit\ncode 3 of COMMAND then means: done, but some pages\nneed a rebuild',
		},
		timeout: { value: 'TIME', default: '30m', help: 'time limit of the command' },
	},
	Where: {
		port: { value: 'NUMBER', default: '4500', help: '0 picks a free port' },
		host: { value: 'ADDRESS', default: '127.0.0.1', help: 'address to listen at' },
		path: { value: 'PATH', default: '/', help: 'path of the events' },
		'queue-file': { value: 'FILE', shown: '.product-reviews/changes.db', help: 'waiting changes' },
		'redis-env': {
			value: 'NAME',
			help: '... in Redis instead, for several receivers:\nredis://..., needs npm install ioredis',
		},
		cwd: { value: 'FOLDER', shown: 'the working directory', help: 'folder of the command' },
	},
	'This program': {
		help: { help: 'shows this text' },
		version: { help: 'shows the version' },
	},
} satisfies Readonly<Record<string, Readonly<Record<string, Option>>>>;

type KeysOfEach<Section> = Section extends unknown ? keyof Section : never;

type OptionName = KeysOfEach<(typeof SECTIONS)[keyof typeof SECTIONS]>;

const OPTIONS = Object.values(SECTIONS).flatMap((section) => Object.entries<Option>(section));

/** Column of the help in which the texts of options begin. */
const TEXT_COLUMN = 26;

function describeOption([name, { value, help, default: given, shown = given }]: [string, Option]): string {
	const usage = `  --${name}${value ? ` ${value}` : ''}`.padEnd(TEXT_COLUMN);
	const text = `${help}${shown ? ` [${shown}]` : ''}`;
	return `${usage}${text.replaceAll('\n', `\n${' '.repeat(TEXT_COLUMN)}`)}`;
}

export const HELP = `product-reviews-webhook: receives review webhooks and rebuilds the site

Usage
  product-reviews-webhook --run "npm run build"
  product-reviews-webhook --run "npx astro-product-reviews update" --immediate
  product-reviews-webhook --deploy-hook-env DEPLOY_HOOK_URL
  product-reviews-webhook --github owner/name

${Object.entries(SECTIONS)
	.map(([title, section]) => [title, ...Object.entries<Option>(section).map(describeOption)].join('\n'))
	.join('\n\n')}
`;

type Values = Partial<Record<OptionName, string>>;

/** A receiver as the command line describes it, without its log of changes. */
export interface ReceiveCommand extends Omit<ReceiverOptions, 'log' | 'onLog'> {
	/** File for waiting changes. */
	readonly queueFile: string;
	/** URL of the Redis server to use instead; it may contain a password. */
	readonly redis: string | undefined;
}

/**
 * Reads the arguments of `product-reviews-webhook`.
 * @throws WebhookConfigurationError that states what is wrong without repeating a secret.
 */
export function readCommand(
	args: readonly string[],
	environment: Readonly<Record<string, string | undefined>>,
): 'help' | 'version' | ReceiveCommand {
	const values = parse(args);
	if (values.help !== undefined) return 'help';
	if (values.version !== undefined) return 'version';
	const read: ReadVariable = (name) => environment[name];
	const { forward, 'key-header': keyHeader, 'queue-file': queueFile, 'redis-env': redisEnv } = values;
	if (forward !== undefined && !/^https?:$/.test(URL.parse(forward)?.protocol ?? '')) {
		throw new WebhookConfigurationError(messages.forwardOption);
	}
	if (queueFile !== undefined && redisEnv !== undefined) {
		throw new WebhookConfigurationError(messages.onePlace);
	}
	return {
		verify: readVerifiers(
			{
				secretEnv: String(values['secret-env']),
				keyHeader,
				keyEnv: String(values['key-env']),
				hint: 'Or name another variable with --secret-env.',
			},
			read,
		),
		rebuild: readRebuild(values, environment),
		forward: forward === undefined ? undefined : { url: forward, keyHeader },
		port: readPort(String(values.port)),
		host: values.host,
		path: readPath(String(values.path)),
		...readTiming(values),
		queueFile: queueFile ?? '.product-reviews/changes.db',
		redis: redisEnv === undefined ? undefined : readRequired(redisEnv, read),
	};
}

function parse(args: readonly string[]): Values {
	const options = Object.fromEntries(
		OPTIONS.map(([name, option]) => [
			name,
			{
				type: option.value ? ('string' as const) : ('boolean' as const),
				...(name === 'help' && { short: 'h' }),
				...(option.default !== undefined && { default: option.default }),
			},
		]),
	);
	try {
		const { values } = parseArgs({ args: [...args], options, strict: true });
		return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
	} catch (cause) {
		const [problem = ''] = (cause as Error).message.split('. ');
		throw new WebhookConfigurationError(messages.argument(problem), { cause });
	}
}

/** Exit code of `astro-product-reviews update` if pages are left to a rebuild. */
const INCOMPLETE = 3;

function readRebuild(values: Values, environment: Readonly<Record<string, string | undefined>>) {
	const { run, github, 'deploy-hook-env': hookEnv, cwd } = values;
	const read: ReadVariable = (name) => environment[name];
	if ([run, hookEnv, github].filter((way) => way !== undefined).length !== 1) {
		throw new WebhookConfigurationError(messages.oneWay);
	}
	if (github !== undefined) {
		return githubDispatch({
			repository: github,
			token: readRequired(String(values['github-token-env']), read),
		});
	}
	if (run === undefined) return deployHook(readRequired(String(hookEnv), read));
	if (cwd !== undefined && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
		throw new WebhookConfigurationError(messages.folder(cwd));
	}
	const secrets = (['secret-env', 'key-env', 'github-token-env', 'redis-env'] as const).flatMap(
		(option) => values[option] ?? [],
	);
	return command(run, {
		cwd,
		timeout: readDuration('timeout', values),
		env: commandEnvironment(environment, secrets),
		incompleteCode: values.immediate ? INCOMPLETE : undefined,
	});
}

function readPort(text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port <= 65_535) return port;
	throw new WebhookConfigurationError(messages.port);
}

function readPath(path: string): string {
	if (/^\/(?!\/)[^\s?#\\]*$/.test(path) && path !== '/healthz' && path !== '/status') return path;
	throw new WebhookConfigurationError(messages.path);
}

/** Reads when to rebuild. @throws WebhookConfigurationError if the options contradict each other. */
function readTiming(values: Values): Pick<ReceiverOptions, 'debounce' | 'maxWait'> {
	const timing = { debounce: readDuration('debounce', values), maxWait: readDuration('max-wait', values) };
	if (values.immediate === undefined) return timing;
	if (timing.debounce === undefined && timing.maxWait === undefined) return { debounce: 0 };
	throw new WebhookConfigurationError(messages.oneTiming);
}

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Reads a duration with its unit, in milliseconds; `undefined` if the option is left out. */
function readDuration(option: 'debounce' | 'max-wait' | 'timeout', values: Values): number | undefined {
	const text = values[option];
	if (text === undefined) return undefined;
	const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(text.trim());
	if (!match) throw new WebhookConfigurationError(messages.duration(option));
	return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS];
}

/**
 * Opens the log of changes that the command line names.
 * @throws WebhookConfigurationError if ioredis is needed but not installed, and any error from opening the file.
 */
export async function openLog(
	{ queueFile, redis }: ReceiveCommand,
	onLog: (line: string) => void,
): Promise<ChangeLog> {
	if (redis === undefined) return openSqliteLog(queueFile, onLog);
	// An optional peer dependency: most receivers do not use Redis.
	const { openRedisLog } = await import('../redis/index.js').catch((cause) => {
		if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
		throw new WebhookConfigurationError(messages.noIoredis, { cause });
	});
	return openRedisLog(redis);
}

/** Output of a command may contain sequences that control the terminal. Colours do not belong in a log either. */
const CONTROL =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes.
	/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Formats a log line: as text for a terminal, or as JSON. */
export function formatLine(message: string, isTerminal: boolean, now = Date.now()): string {
	const time = new Date(now).toISOString();
	if (!isTerminal) return `${JSON.stringify({ time, message })}\n`;
	return `${time.slice(11, 19)} ${message.replace(CONTROL, '')}\n`;
}
