import { type Change, WebhookConfigurationError } from 'product-reviews-webhook';
import { count, nameProducts, plainLine } from '../base/words.js';
import { UPDATE_ID } from '../constants.js';
import { ProductReviewsError } from '../errors.js';

/** The project of a server, and the output folder of its build, relative to that. */
export interface ServerBuild {
	readonly root: URL;
	readonly outDir: string;
}

/** `updateReviews` of `astro-product-reviews/update`, as far as the endpoint uses it. */
export type UpdateReviews = (
	options: ServerBuild & {
		readonly pids: readonly string[] | 'all';
		readonly onWarning: (message: string) => void;
	},
) => Promise<{
	readonly files: readonly string[];
	readonly rebuild: readonly { readonly page: string | null; readonly reason: string }[];
	readonly failed: readonly { readonly pid: string; readonly reason: string }[];
}>;

/**
 * Loads the function from the package beside the server. It needs Node, files and threads, so it is not part of the
 * server's own code.
 * @throws WebhookConfigurationError if that is not possible here.
 */
export async function loadUpdate(): Promise<UpdateReviews> {
	try {
		// A variable, so that whatever bundles the server leaves it alone.
		const name: string = UPDATE_ID;
		const { updateReviews } = await import(/* @vite-ignore */ name);
		return updateReviews;
	} catch (cause) {
		throw new WebhookConfigurationError(
			`"webhook.update" needs Node, and the package astro-product-reviews installed where the server runs (${cause instanceof Error ? cause.message : cause}).`,
			{ cause },
		);
	}
}

export type Changed = Pick<Change, 'pids' | 'all'>;

export const MAX_NAMED = 10;

interface UpdaterContext {
	readonly load: () => Promise<UpdateReviews>;
	readonly locateBuild: () => ServerBuild;
	readonly rebuild: ((changed: Changed) => Promise<void>) | undefined;
	readonly say: (line: string) => void;
	readonly warn: (line: string) => void;
}

/**
 * Writes changes into the server's own files. One update runs at a time, and one more after it for all that came
 * meanwhile.
 * @returns a function that throws if the service failed for a product of its change, or if anything else went wrong.
 */
export function createUpdater({ load, locateBuild, rebuild, say, warn }: UpdaterContext) {
	/** @returns products for which the service failed. */
	const update = async (changed: Changed): Promise<readonly string[]> => {
		const updateReviews = await load();
		const startedAt = performance.now();
		const pids = changed.all ? 'all' : changed.pids;
		const result = await updateReviews({ pids, ...locateBuild(), onWarning: warn });
		const { files, rebuild: left, failed } = result;
		const seconds = (performance.now() - startedAt) / 1_000;
		say(`Published: ${count(files.length, 'file')} changed in ${seconds.toFixed(2)} s.`);
		const [first] = left;
		if (first) {
			const { page, reason } = first;
			const named =
				page === null ? 'all pages' : `${count(left.length, 'page')}, such as ${plainLine(page, 200)}`;
			warn(`Left to a rebuild: ${named} (${reason}).`);
			if (rebuild) await rebuild(changed);
			// No page was looked at, and nothing brings the reviews onto one.
			else if (page === null) {
				throw new ProductReviewsError(
					'PR_UPDATE_FAILED',
					`All pages need a rebuild, and no option starts one: ${reason}.`,
					'Set the option "webhook.deployHookEnv" or "webhook.github", or build once.',
				);
			}
		}
		return failed.map(({ pid }) => pid);
	};
	let last: Promise<unknown> = Promise.resolve();
	let next: ReturnType<typeof begin> | undefined;
	const begin = () => {
		const batch = { pids: new Set<string>(), all: false };
		const failed = last.then(() => {
			next = undefined;
			return update({ pids: [...batch.pids], all: batch.all });
		});
		last = failed.catch(() => {});
		return Object.assign(batch, { failed });
	};
	return async ({ pids, all }: Changed): Promise<void> => {
		next ??= begin();
		for (const pid of pids) next.pids.add(pid);
		next.all ||= all;
		const failed = (await next.failed).filter((pid) => all || pids.includes(pid));
		if (failed.length === 0) return;
		throw new ProductReviewsError(
			'PR_SERVICE_FAILED',
			`The service failed for ${nameProducts(failed, MAX_NAMED)}.`,
			'The sender tries again; a build also fetches them.',
		);
	};
}
