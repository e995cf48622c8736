import { commandError } from '../errors/catalog.js';
import { readBuildChanges } from '../session/changed-products.js';
import { amount, count, nameProduct, printableJson } from '../text/words.js';
import type { CommandLine, Options } from './options.js';
import { type RefreshContext, type Refreshed, refreshCache } from './refresh.js';
import { loadSite } from './site.js';
import { misused, onStandardError, say, secondsSince } from './terminal.js';

/** Failed products of a shared run that are named; all of them are in the output for programs. */
const MOST_NAMED = 20;

/** Refreshes the cache of a project, and sets the exit code: 1 if the service failed for any product. */
export async function updateCache({ args, options }: CommandLine): Promise<string[]> {
	const startedAt = performance.now();
	const url = redisUrl(options);
	// Before the configuration is loaded, which takes a while.
	const workers = url === undefined ? undefined : await loadWorkers();
	const refreshed = await onStandardError(async () => {
		const { project } = await loadSite(options);
		const site = project.site();
		const logger = { info: say, warn: say };
		const changed =
			options.all || args.length > 0 ? { pids: args, all: options.all === true } : readBuildChanges(logger);
		const products = args.length > 0 ? args : site.options.products;
		const context: RefreshContext = { ...site, products, changed, logger };
		return url === undefined || !workers ? refreshCache(context) : workers.refreshWithOthers(url, context);
	});
	process.exitCode = refreshed.failed.length > 0 ? 1 : 0;
	const seconds = secondsSince(startedAt);
	const { failures: _count, ...own } = refreshed;
	// The failures of one worker are all named.
	if (options.json) return [`${printableJson({ ...(workers ? refreshed : own), seconds })}\n`];
	// The workers have warned of nothing that others did.
	const named = workers ? refreshed.failed.slice(0, MOST_NAMED) : [];
	return [
		describeRefreshed(refreshed, seconds),
		...named.map(({ pid, reason }) => `failed: ${nameProduct(pid)}: ${reason}\n`),
	];
}

function redisUrl({ redis, 'redis-env': name }: Options): string | undefined {
	if (name === undefined) return redis;
	if (redis !== undefined) throw misused('Give either --redis or --redis-env, not both.');
	const url = process.env[name];
	if (url) return url;
	throw misused(`The variable ${name} is not set. It is the address of Redis.`);
}

/** BullMQ is an optional peer dependency: most projects do not need it. @throws CommandError if it is not installed */
async function loadWorkers() {
	try {
		return await import('./refresh-workers.js');
	} catch (cause) {
		if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
		const message = 'An update by several workers needs BullMQ, which is not installed.';
		throw commandError('PR_REDIS_MISSING', message, cause);
	}
}

function describeRefreshed({ totals, requests, failures }: Refreshed, seconds: number): string {
	const { products, fetched, unchanged, missing } = totals;
	const without = missing > 0 ? `, ${amount(missing)} without reviews` : '';
	const results = `${amount(fetched)} fetched, ${amount(unchanged)} unchanged${without}, ${amount(failures)} failed`;
	return `${count(products, 'product')} in ${seconds.toFixed(1)} s with ${count(requests, 'request')}: ${results}\n`;
}
