import { parseArgs } from 'node:util';
import type { Rebuild } from '../../collect/rebuild.js';
import { WebhookConfigurationError } from '../../errors.js';
import { deployHook } from '../../triggers/deploy-hook.js';
import { githubDispatch } from '../../triggers/github-dispatch.js';
import { sharedHeader } from '../../verify/shared-header.js';
import { standardWebhooks } from '../../verify/standard-webhooks.js';
import type { Verifier } from '../../verify/verifier.js';
import { command } from '../command.js';
import { commandEnvironment } from '../command-environment.js';
import type { CollectingOptions, ListeningOptions } from '../receiver-options.js';
import { readDuration } from './read-duration.js';

/** What a command line asks for. */
export type Command = 'help' | 'version' | ReceiveCommand;

/** To receive events. */
export interface ReceiveCommand extends Omit<ListeningOptions, 'onLog'>, Omit<CollectingOptions, 'log'> {
	/** File in which changes wait. */
	readonly data: string;
	/** Address of the Redis in which they wait instead; it may hold a password. */
	readonly redis: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the arguments of `product-reviews-webhook`.
 * @throws WebhookConfigurationError that says what is wrong, and never what a secret is.
 */
export function readCommand(args: readonly string[], environment: Environment): Command {
	const values = parse(args);
	if (values.help) return 'help';
	if (values.version) return 'version';
	return {
		verify: verifiers(values, environment),
		rebuild: rebuild(values, environment),
		port: readPort(values.port),
		host: values.host,
		path: readPath(values.path),
		quiet: readDuration('--quiet', values.quiet),
		atMost: readDuration('--at-most', values['at-most']),
		data: values.data ?? '.product-reviews/changes.db',
		redis: readRedis(values, environment),
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
	quiet: { type: 'string', default: '30s' },
	'at-most': { type: 'string', default: '5m' },
	timeout: { type: 'string', default: '30m' },
	port: { type: 'string', default: '4500' },
	host: { type: 'string', default: '127.0.0.1' },
	path: { type: 'string', default: '/' },
	data: { type: 'string' },
	'redis-env': { type: 'string' },
	cwd: { type: 'string' },
} as const;

type Values = ReturnType<typeof parse>;

function verifiers(values: Values, environment: Environment): Verifier[] {
	const secrets = environment[values['secret-env']]?.split(/\s+/).filter(Boolean) ?? [];
	const header = values['key-header'];
	const found = [
		...(secrets.length > 0 ? [standardWebhooks(secrets)] : []),
		...(header ? [sharedHeader(header, fromEnvironment(environment, values['key-env']))] : []),
	];
	if (found.length > 0) return found;
	throw new WebhookConfigurationError(
		`${variable(values['secret-env'])} is not set. Set it to the webhook secret that the review service shows (it begins with "whsec_"), or name another with --secret-env.`,
	);
}

function rebuild(values: Values, environment: Environment): Rebuild {
	const ways = [values.run, values['deploy-hook-env'], values.github].filter((way) => way !== undefined);
	if (ways.length !== 1) {
		throw new WebhookConfigurationError(
			'Give one of --run, --deploy-hook-env and --github: how to rebuild. See --help.',
		);
	}
	if (values.run !== undefined) {
		const secrets = (['secret-env', 'key-env', 'github-token-env', 'redis-env'] as const).flatMap(
			(option) => values[option] ?? [],
		);
		return command(values.run, {
			cwd: values.cwd,
			timeout: readDuration('--timeout', values.timeout),
			env: commandEnvironment(environment, secrets),
		});
	}
	if (values.github !== undefined) {
		const token = fromEnvironment(environment, values['github-token-env']);
		return githubDispatch({ repository: values.github, token });
	}
	return deployHook(fromEnvironment(environment, String(values['deploy-hook-env'])));
}

function readRedis(values: Values, environment: Environment): string | undefined {
	const name = values['redis-env'];
	if (name === undefined) return undefined;
	if (values.data === undefined) return fromEnvironment(environment, name);
	throw new WebhookConfigurationError('Give one of --data and --redis-env: where changes wait. See --help.');
}

function fromEnvironment(environment: Environment, name: string): string {
	const value = environment[name]?.trim();
	if (!value) throw new WebhookConfigurationError(`${variable(name)} is not set.`);
	return value;
}

/** Who gives the secret itself, in place of the name of its variable, does not find it in a log. */
function variable(name: string): string {
	return /^[A-Z_][A-Z0-9_]{0,99}$/.test(name)
		? `The environment variable ${name}`
		: 'The environment variable that an option names';
}

function readPort(text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port <= 65_535) return port;
	throw new WebhookConfigurationError('--port takes a number from 0 to 65535.');
}

function readPath(path: string): string {
	if (/^\/[^\s?#]*$/.test(path) && path !== '/healthz' && path !== '/status') return path;
	throw new WebhookConfigurationError(
		'--path takes a path such as /reviews, other than /healthz and /status.',
	);
}
