import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CollectorOptions } from '../../collect/collector.js';
import type { Rebuild } from '../../collect/rebuild.js';
import { WebhookConfigurationError } from '../../errors.js';
import { deployHook, githubDispatch } from '../../triggers/triggers.js';
import { type ReadVariable, readRequired, readVerifiers } from '../../verify/verify.js';
import { command, commandEnvironment } from '../command.js';
import type { CollectingOptions, ListeningOptions } from '../start-receiver.js';
import type { Forwarding } from '../to-node-handler.js';

/** A parsed command line. */
export type Command = 'help' | 'version' | ReceiveCommand;

/** Receive events. */
export interface ReceiveCommand extends Omit<ListeningOptions, 'onLog'>, Omit<CollectingOptions, 'log'> {
	/** File for waiting changes. */
	readonly data: string;
	/** URL of the Redis server to use instead; it may contain a password. */
	readonly redis: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the arguments of `product-reviews-webhook`.
 * @throws WebhookConfigurationError that states what is wrong without repeating a secret.
 */
export function readCommand(args: readonly string[], environment: Environment): Command {
	const values = parse(args);
	if (values.help) return 'help';
	if (values.version) return 'version';
	const read: ReadVariable = (name) => environment[name];
	return {
		verify: readVerifiers(
			{
				secretEnv: values['secret-env'],
				keyHeader: values['key-header'],
				keyEnv: values['key-env'],
				hint: 'Or name another variable with --secret-env.',
			},
			read,
		),
		rebuild: rebuild(values, environment, read),
		forward: readForward(values),
		port: readPort(values.port),
		host: values.host,
		path: readPath(values.path),
		...readTiming(values),
		data: values['queue-file'] ?? '.product-reviews/changes.db',
		redis: readRedis(values, read),
	};
}

function parse(args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
	} catch (cause) {
		const [problem] = (cause as Error).message.split('. ');
		throw new WebhookConfigurationError(`${problem}. See --help.`, { cause });
	}
}

const OPTIONS = {
	help: { type: 'boolean', short: 'h' },
	version: { type: 'boolean' },
	'secret-env': { type: 'string', default: 'REVIEWS_WEBHOOK_SECRET' },
	'key-header': { type: 'string' },
	'key-env': { type: 'string', default: 'REVIEWS_WEBHOOK_KEY' },
	run: { type: 'string' },
	'deploy-hook-env': { type: 'string' },
	github: { type: 'string' },
	'github-token-env': { type: 'string', default: 'GITHUB_DISPATCH_TOKEN' },
	forward: { type: 'string' },
	immediate: { type: 'boolean' },
	debounce: { type: 'string' },
	'max-wait': { type: 'string' },
	timeout: { type: 'string', default: '30m' },
	port: { type: 'string', default: '4500' },
	host: { type: 'string', default: '127.0.0.1' },
	path: { type: 'string', default: '/' },
	'queue-file': { type: 'string' },
	'redis-env': { type: 'string' },
	cwd: { type: 'string' },
} as const;

/** Exit code of `astro-product-reviews publish` if pages are left to a rebuild. */
const INCOMPLETE = 3;

type Values = ReturnType<typeof parse>;

function rebuild(values: Values, environment: Environment, read: ReadVariable): Rebuild {
	const ways = [values.run, values['deploy-hook-env'], values.github].filter((way) => way !== undefined);
	if (ways.length !== 1) {
		throw new WebhookConfigurationError(
			'Choose how to rebuild: pass exactly one of --run, --deploy-hook-env and --github. See --help.',
		);
	}
	if (values.run !== undefined) {
		const secrets = (['secret-env', 'key-env', 'github-token-env', 'redis-env'] as const).flatMap(
			(option) => values[option] ?? [],
		);
		return command(values.run, {
			cwd: readFolder(values.cwd),
			timeout: readDuration('--timeout', values.timeout),
			env: commandEnvironment(environment, secrets),
			incompleteCode: values.immediate ? INCOMPLETE : undefined,
		});
	}
	if (values.github !== undefined) {
		const token = readRequired(values['github-token-env'], read);
		return githubDispatch({ repository: values.github, token });
	}
	return deployHook(readRequired(String(values['deploy-hook-env']), read));
}

function readRedis(values: Values, read: ReadVariable): string | undefined {
	const name = values['redis-env'];
	if (name === undefined) return undefined;
	if (values['queue-file'] === undefined) return readRequired(name, read);
	throw new WebhookConfigurationError(
		'Choose where changes are kept: pass either --queue-file or --redis-env. See --help.',
	);
}

function readForward({ forward, 'key-header': keyHeader }: Values): Forwarding | undefined {
	if (forward === undefined) return undefined;
	if (/^https?:$/.test(URL.parse(forward)?.protocol ?? '')) return { url: forward, keyHeader };
	throw new WebhookConfigurationError('--forward must be an http(s) URL.');
}

function readFolder(cwd: string | undefined): string | undefined {
	if (cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return cwd;
	throw new WebhookConfigurationError(`--cwd must be a folder, and ${JSON.stringify(cwd)} is none.`);
}

function readPort(text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port <= 65_535) return port;
	throw new WebhookConfigurationError('--port must be a number from 0 to 65535.');
}

function readPath(path: string): string {
	if (/^\/(?!\/)[^\s?#\\]*$/.test(path) && path !== '/healthz' && path !== '/status') return path;
	throw new WebhookConfigurationError(
		'--path must be a path such as /reviews, and cannot be /healthz or /status.',
	);
}

/** The options that say when to rebuild. */
interface TimingValues {
	readonly immediate?: boolean | undefined;
	readonly debounce?: string | undefined;
	readonly 'max-wait'?: string | undefined;
}

/** @throws WebhookConfigurationError for anything but a time, or if the options contradict each other. */
function readTiming(values: TimingValues): Pick<CollectorOptions, 'debounce' | 'maxWait'> {
	const { debounce, 'max-wait': maxWait } = values;
	if (!values.immediate) {
		return {
			debounce: readDuration('--debounce', debounce ?? '30s'),
			maxWait: readDuration('--max-wait', maxWait ?? '5m'),
		};
	}
	if (debounce === undefined && maxWait === undefined) return { debounce: 0 };
	throw new WebhookConfigurationError(
		'Choose when to rebuild: pass either --immediate, or --debounce and --max-wait. See --help.',
	);
}

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/**
 * Parses a duration with its unit, into milliseconds.
 * @throws WebhookConfigurationError for anything else.
 * @example readDuration('--debounce', '30s') // 30_000
 */
function readDuration(option: string, text: string): number {
	const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(text.trim());
	if (!match) {
		throw new WebhookConfigurationError(
			`${option} must be a time with a unit, such as 500ms, 30s, 5m or 1h.`,
		);
	}
	return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS];
}
