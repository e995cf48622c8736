import { CommandError } from '../../errors.js';
import { readBuildChanges } from '../../session/changed-products.js';
import { amount, count, nameProduct, printableJson } from '../../text/words.js';
import type { refreshTogether } from '../refresh/redis/refresh-together.js';
import { type RefreshContext, type Refreshed, refreshStore } from '../refresh/refresh-store.js';
import { loadSite } from '../site/load-site.js';
import { onStandardError, sitePlace } from './locate-store.js';
import type { CommandLine } from './read-command.js';

type Process = Pick<typeof process, 'env' | 'cwd' | 'stderr'> & {
	exitCode?: number | string | null | undefined;
};

/** Failed products of a run that are named; all of them are in the output for programs. */
const MOST_NAMED = 20;

/**
 * Refreshes the store of a project, and sets the exit code: 1 if the service failed for any product.
 * @returns texts to print.
 */
export async function refreshCommand(command: CommandLine, run: Process): Promise<string[]> {
	const startedAt = performance.now();
	const { redis } = command;
	const url = redis && redisUrl(redis, run.env);
	// Before the configuration is loaded, which takes a while.
	const refreshTogether = url === undefined ? undefined : await loadTogether();
	const refreshed = await onStandardError(async () => {
		const context = await contextOf(command, run);
		if (url === undefined || !refreshTogether) return refreshStore(context);
		const { all, own } = await refreshTogether({ ...context, redis: url, since: performance.timeOrigin });
		return { ...all, worker: own };
	});
	run.exitCode = refreshed.failed.length > 0 ? 1 : 0;
	const seconds = (performance.now() - startedAt) / 1_000;
	if (command.json) return [`${printableJson({ ...refreshed, seconds })}\n`];
	if (!('worker' in refreshed)) return [describeRefreshed(refreshed, seconds)];
	return [
		describeRefreshed(refreshed, seconds),
		...refreshed.failed
			.slice(0, MOST_NAMED)
			.map(({ pid, reason }) => `failed: ${nameProduct(pid)}: ${reason}\n`),
		`This worker: ${describeRefreshed(refreshed.worker)}`,
	];
}

async function contextOf({ place, pids, isAll }: CommandLine, run: Process): Promise<RefreshContext> {
	const say = (message: string) => void run.stderr.write(`${message}\n`);
	const logger = { info: say, warn: say };
	const { project } = await loadSite(sitePlace(place, run.cwd()));
	const site = project.site();
	return {
		...site,
		products: pids.length > 0 ? pids : site.options.products,
		changed: isAll || pids.length > 0 ? { pids, all: isAll } : readBuildChanges(logger),
		isTerminal: run.stderr.isTTY === true && !run.env['CI'],
		logger,
	};
}

function redisUrl(redis: NonNullable<CommandLine['redis']>, environment: NodeJS.ProcessEnv): string {
	if ('url' in redis) return redis.url;
	const url = environment[redis.env];
	if (url) return url;
	throw new CommandError(
		'PR_USAGE',
		`The variable ${redis.env} is not set.`,
		'Set it to the address of Redis, such as redis://user:password@host:6379.',
	);
}

function describeRefreshed(
	{ totals, requests, failed, failures = failed.length }: Refreshed & { readonly failures?: number },
	seconds?: number,
): string {
	const { products, fetched, unchanged, missing } = totals;
	const parts = [
		`${amount(fetched)} fetched`,
		`${amount(unchanged)} unchanged`,
		...(missing > 0 ? [`${amount(missing)} without reviews`] : []),
		`${amount(failures)} failed`,
	];
	const time = seconds === undefined ? '' : ` in ${seconds.toFixed(1)} s`;
	return `${count(products, 'product')}${time} with ${count(requests, 'request')}: ${parts.join(', ')}\n`;
}

/**
 * Loads what shares a refresh through Redis. BullMQ is an optional peer dependency: most projects do not need it.
 * @throws CommandError if it is not installed.
 */
async function loadTogether(): Promise<typeof refreshTogether> {
	try {
		return (await import('../refresh/redis/refresh-together.js')).refreshTogether;
	} catch (cause) {
		if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
		throw new CommandError(
			'PR_REDIS_MISSING',
			'A refresh by several workers needs BullMQ, which is not installed.',
			'Run: npm install bullmq ioredis',
			{ cause },
		);
	}
}
