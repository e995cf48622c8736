import type { HookParameters } from 'astro';
import type { RunContext } from '../build/run-context.js';
import type { DevRun } from '../build/start-dev.js';
import type { WebhookSettings } from '../options/webhook.js';
import type { Project } from './project.js';

/** Starts the reviews of a dev server, and its webhook endpoint. What only a dev server needs is loaded here. */
export async function startDevServer(
	{ server, logger }: Pick<HookParameters<'astro:server:setup'>, 'server' | 'logger'>,
	context: Omit<RunContext, 'logger'>,
	project: Project,
	webhook: WebhookSettings | undefined,
): Promise<DevRun> {
	const { restartDev } = await import('../build/start-dev.js');
	const run = await restartDev({ ...context, logger });
	if (webhook) {
		const { serveInDev } = await import('./serve-in-dev.js');
		serveInDev(server, { settings: webhook, project, mark: run.mark, logger });
	}
	return run;
}
