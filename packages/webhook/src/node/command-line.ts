import { parseArgs } from 'node:util';
import type { ChangeLog } from '../change-log.js';
import { WebhookConfigurationError } from '../errors.js';
import { ID_PATH } from '../handler.js';
import type { ReadVariable, ServiceName } from '../services.js';
import { API_KEY, readReception, readRequired, SERVICE_NAMES } from '../services.js';
import { deployHook, githubDispatch } from '../triggers.js';
import { command, commandEnvironment } from './command.js';
import { openSqliteLog } from './sqlite-log.js';

export const VERSION = '0.1.0';

const OPTIONS = {
	from: { type: 'string' },
	'secret-env': { type: 'string', default: 'REVIEWS_WEBHOOK_SECRET' },
	'key-header': { type: 'string' },
	'key-query': { type: 'string' },
	'key-env': { type: 'string', default: 'REVIEWS_WEBHOOK_KEY' },
	run: { type: 'string' },
	'deploy-hook-env': { type: 'string' },
	github: { type: 'string' },
	'github-token-env': { type: 'string', default: 'GITHUB_DISPATCH_TOKEN' },
	forward: { type: 'string' },
	ids: { type: 'string', multiple: true },
	ignore: { type: 'string', multiple: true },
	debounce: { type: 'string' },
	'max-wait': { type: 'string' },
	immediate: { type: 'boolean' },
	timeout: { type: 'string', default: '30m' },
	port: { type: 'string', default: '4500' },
	host: { type: 'string', default: '127.0.0.1' },
	path: { type: 'string', default: '/' },
	'queue-file': { type: 'string' },
	'redis-env': { type: 'string' },
	help: { type: 'boolean', short: 'h' },
	version: { type: 'boolean' },
} as const;

export const HELP = `product-reviews-webhook: receives review webhooks and rebuilds the site

Usage
  product-reviews-webhook --run "npm run build"
  product-reviews-webhook --run "npx astro-product-reviews update" --immediate
  product-reviews-webhook --deploy-hook-env DEPLOY_HOOK_URL
  product-reviews-webhook --github owner/name
  product-reviews-webhook --from judgeme --run "npm run build"

Secrets are read from the environment; the options name the variables.
  --secret-env NAME       webhook signing secret; for key rotation: several,
                          separated by spaces [REVIEWS_WEBHOOK_SECRET]
  --key-header NAME       for senders that send a key: the name of its header
  --key-query NAME        ... or of its parameter in the query of the URL
  --key-env NAME          ... and the key [REVIEWS_WEBHOOK_KEY, or for a
                          header REVIEWS_API_KEY]

Events
  --from SERVICE          the service that sends them: woocommerce, shopify,
                          judgeme, okendo, stamped or sanity
  --ids PATH              where the product IDs are in an event, such as
                          data.review.pid; may be repeated
                          [data.pid, data.arrpid.pid and pid]
  --ignore TYPE           type of events to ignore; may be repeated [css_update]

How to rebuild: one of
  --run COMMAND           a shell command; gets the changes in REVIEWS_CHANGED;
                          the secrets above are not in its environment
  --deploy-hook-env NAME  URL of a host's deploy hook
  --github OWNER/NAME     repository to send a repository_dispatch to
  --github-token-env NAME ... with this token [GITHUB_DISPATCH_TOKEN]

Also:
  --forward URL           passes each event on, such as to the endpoint of a
                          server that renders pages on demand

When
  --debounce TIME         time without events before a rebuild [30s]
  --max-wait TIME         longest wait of the first event [5m]
  --immediate             instead: starts with the first event, for what takes
                          seconds; events meanwhile start one more run. Exit
                          code 3 of COMMAND then means: done, but some pages
                          need a rebuild
  --timeout TIME          time limit of the command [30m]

Where
  --port NUMBER           0 picks a free port [4500]
  --host ADDRESS          address to listen at [127.0.0.1]
  --path PATH             path of the events [/]
  --queue-file FILE       waiting changes [.product-reviews/changes.db]
  --redis-env NAME        ... in Redis instead, for several receivers:
                          redis://..., needs npm install ioredis

This program
  --help                  shows this text
  --version               shows the version
`;

type Values = ReturnType<typeof parse>;

/** @throws WebhookConfigurationError that states what is wrong without repeating a secret. */
export function readCommand(
	args: readonly string[],
	environment: Readonly<Record<string, string | undefined>>,
) {
	const values = parse(args);
	if (values.help) return 'help';
	if (values.version) return 'version';
	const read: ReadVariable = (name) => environment[name];
	const { from, forward, host, path, immediate, ids, 'redis-env': redisEnv } = values;
	const { 'key-header': keyHeader, 'key-query': keyQuery, ignore: ignoreTypes } = values;
	check(
		forward === undefined || /^https?:$/.test(URL.parse(forward)?.protocol ?? ''),
		'--forward must be an http(s) URL.',
	);
	check(
		values['queue-file'] === undefined || redisEnv === undefined,
		'Choose where changes are kept: pass either --queue-file or --redis-env. See --help.',
	);
	check(
		from === undefined || SERVICE_NAMES.includes(from as ServiceName),
		`--from must be one of ${SERVICE_NAMES.join(', ')}.`,
	);
	check(
		from === undefined || (keyHeader ?? keyQuery ?? ids) === undefined,
		'Choose how events are read: pass either --from, or --key-header, --key-query and --ids. See --help.',
	);
	const { 'secret-env': secretEnv, 'key-env': keyEnv } = values;
	const reception = readReception(
		{ from: from as ServiceName | undefined, secretEnv, keyHeader, keyQuery, keyEnv },
		read,
	);
	const rebuild = readRebuild(values, environment);
	const port = Number(values.port);
	const debounce = readDuration('debounce', values);
	const maxWait = readDuration('max-wait', values);
	check(
		!immediate || (debounce ?? maxWait) === undefined,
		'Choose when to update: pass either --immediate, or --debounce and --max-wait. See --help.',
	);
	check(/^\d+$/.test(values.port) && port <= 65_535, '--port must be a number from 0 to 65535.');
	check(
		/^\/(?!\/)[^\s?#\\]*$/.test(path) && path !== '/healthz' && path !== '/status',
		'--path must be a path such as /reviews, and cannot be /healthz or /status.',
	);
	check(
		ids?.every((one) => ID_PATH.test(one)) ?? true,
		'--ids must be names of properties with dots between them, such as data.review.pid.',
	);
	return {
		...reception,
		ids,
		ignoreTypes,
		rebuild,
		forward,
		port,
		host,
		path,
		debounce: immediate ? 0 : debounce,
		maxWait,
		queueFile: values['queue-file'] ?? '.product-reviews/changes.db',
		/** Used instead of the file; it may contain a password. */
		redis: redisEnv === undefined ? undefined : readRequired(redisEnv, read),
	};
}

function check(isValid: boolean, message: string): void {
	if (!isValid) throw new WebhookConfigurationError(message);
}

function parse(args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
	} catch (cause) {
		const [problem = ''] = (cause as Error).message.split('. ');
		throw new WebhookConfigurationError(`${problem}. See --help.`, { cause });
	}
}

/** Exit code of `astro-product-reviews update` if pages are left to a rebuild. */
const INCOMPLETE = 3;

function readRebuild(values: Values, environment: Readonly<Record<string, string | undefined>>) {
	const { run, github, 'deploy-hook-env': hookEnv } = values;
	const read: ReadVariable = (name) => environment[name];
	check(
		[run, hookEnv, github].filter((way) => way !== undefined).length === 1,
		'Choose how to update: pass exactly one of --run, --deploy-hook-env and --github. See --help.',
	);
	if (github !== undefined) {
		return githubDispatch({ repository: github, token: readRequired(values['github-token-env'], read) });
	}
	if (run === undefined) return deployHook(readRequired(String(hookEnv), read));
	const secrets = (['secret-env', 'key-env', 'github-token-env', 'redis-env'] as const)
		.flatMap((option) => values[option] ?? [])
		// Builds and updates get their token with it.
		.filter((name) => name !== API_KEY);
	return command(run, {
		timeout: readDuration('timeout', values),
		env: commandEnvironment(environment, secrets),
		incompleteCode: values.immediate ? INCOMPLETE : undefined,
	});
}

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

function readDuration(option: 'debounce' | 'max-wait' | 'timeout', values: Values): number | undefined {
	const text = values[option];
	if (text === undefined) return undefined;
	const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(text.trim()) ?? [];
	check(unit !== undefined, `--${option} must be a time with a unit, such as 500ms, 30s, 5m or 1h.`);
	return Number(number) * MILLISECONDS[unit as keyof typeof MILLISECONDS];
}

export async function openLog(
	{ queueFile, redis }: Exclude<ReturnType<typeof readCommand>, string>,
	onLog: (line: string) => void,
): Promise<ChangeLog> {
	if (redis === undefined) return openSqliteLog(queueFile, onLog);
	// An optional peer dependency: most receivers do not use Redis.
	const { openRedisLog } = await import('../redis/index.js').catch((cause) => {
		if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
		throw new WebhookConfigurationError(
			'--redis-env needs ioredis, which is not installed. Run: npm install ioredis',
			{ cause },
		);
	});
	return openRedisLog(redis);
}

/** Output of a command may contain sequences that control the terminal. Colors do not belong in a log either. */
const CONTROL =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes.
	/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function formatLine(message: string, isTerminal: boolean, now = Date.now()): string {
	const time = new Date(now).toISOString();
	if (!isTerminal) return `${JSON.stringify({ time, message })}\n`;
	return `${time.slice(11, 19)} ${message.replace(CONTROL, '')}\n`;
}
