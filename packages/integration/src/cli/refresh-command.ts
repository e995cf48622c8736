import { resolve } from 'node:path';
import { loadSite } from '../astro/load-site.js';
import { readBuildChanges } from '../build/read-build-changes.js';
import { type Refreshed, refreshStore } from '../refresh/refresh-store.js';
import { printableJson } from '../text/clean-text.js';
import { amount, count } from '../text/words.js';
import { onStandardError } from './on-standard-error.js';
import type { CommandLine } from './read-command.js';

type Process = Pick<typeof process, 'env' | 'cwd' | 'stderr'> & {
	exitCode?: number | string | null | undefined;
};

/**
 * Refreshes the store of a project, and sets the exit code: 1 if the service failed for any product.
 * @returns texts to print.
 */
export async function refreshCommand(
	{ place, pids, isAll, json }: CommandLine,
	run: Process,
): Promise<string[]> {
	const startedAt = performance.now();
	const say = (message: string) => void run.stderr.write(`${message}\n`);
	const logger = { info: say, warn: say };
	const refreshed = await onStandardError(async () => {
		const { project } = await loadSite(resolve(run.cwd(), place.root ?? '.'));
		const site = project.site();
		return refreshStore({
			...site,
			products: pids.length > 0 ? pids : site.options.products,
			changed: isAll || pids.length > 0 ? { pids, all: isAll } : readBuildChanges(logger),
			isTerminal: run.stderr.isTTY === true && !run.env['CI'],
			logger,
		});
	});
	run.exitCode = refreshed.failed.length > 0 ? 1 : 0;
	const seconds = (performance.now() - startedAt) / 1_000;
	return [json ? `${printableJson({ ...refreshed, seconds })}\n` : describeRefreshed(refreshed, seconds)];
}

function describeRefreshed({ totals, requests, failed }: Refreshed, seconds: number): string {
	const { products, fetched, unchanged, missing } = totals;
	const parts = [
		`${amount(fetched)} fetched`,
		`${amount(unchanged)} unchanged`,
		...(missing > 0 ? [`${amount(missing)} without reviews`] : []),
		`${amount(failed.length)} failed`,
	];
	return `${count(products, 'product')} in ${seconds.toFixed(1)} s with ${count(requests, 'request')}: ${parts.join(', ')}\n`;
}
