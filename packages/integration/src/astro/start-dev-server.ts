import type { HookParameters } from 'astro';
import type { MissingValue } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { DevRun } from '../session/start-dev.js';
import type { Project } from './project.js';

/**
 * Starts the reviews of a dev server, its webhook endpoint and what its toolbar app asks. What only a dev server needs is
 * loaded here. If the service's address or the website id is not set, the site works without reviews.
 */
export async function startDevServer(
	{ server, logger, toolbar }: Pick<HookParameters<'astro:server:setup'>, 'server' | 'logger' | 'toolbar'>,
	options: ProductReviewsOptions,
	project: Project,
): Promise<DevRun> {
	const { restartDev } = await import('../session/start-dev.js');
	const missing = project.missing();
	const required = missing.filter(({ isRequired }) => isRequired);
	if (required.length > 0) logger.warn(describeMissing(required));
	const run = await restartDev({
		options,
		connection: required.length > 0 ? undefined : project.connection(),
		storeFile: project.storeFile(),
		settings: project.runtimeSettings(),
		logger,
	});
	const { recordPages } = await import('./record-pages.js');
	recordPages(server, run.pages);
	const { serveToolbar } = await import('./serve-toolbar.js');
	serveToolbar(toolbar, { run, missing });
	if (options.webhook) {
		const { serveInDev } = await import('./serve-in-dev.js');
		serveInDev(server, { settings: options.webhook, project, mark: run.mark, logger });
	}
	return run;
}

/** One line: what is missing, what that means, and where to set it. */
function describeMissing(missing: readonly MissingValue[]): string {
	const list = (nameOf: (value: MissingValue) => string | undefined) => missing.map(nameOf).join(' and ');
	return `Pages have no reviews, and builds fail. Not set: ${list(({ what }) => what)}. Set ${list(({ variable }) => variable)} in .env or in the environment, or ${list(({ option }) => `"${option}"`)} in productReviews().`;
}
