import type { AstroIntegrationLogger } from 'astro';
import { type Change, createWebhookHandler } from 'product-reviews-webhook';
import { toNodeHandler } from 'product-reviews-webhook/node';
import type { ViteDevServer } from 'vite';
import { describeFailure } from '../failures/describe-failure.js';
import type { WebhookSettings } from '../options/webhook.js';
import { describeChange, lateHandler, verifiersOf } from '../webhook/create-endpoint.js';
import { askedPath } from './asked-path.js';
import type { Project } from './project.js';

/** Context of the events in `astro dev`. */
export interface DevEvents {
	readonly settings: WebhookSettings;
	readonly project: Pick<Project, 'base' | 'environment'>;
	/** Marks what changed. */
	readonly mark: (change: Change) => void;
	readonly logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>;
}

/** Receives events in `astro dev`, with or without an adapter. Changed products are marked, and open pages reload. */
export function serveInDev(server: Pick<ViteDevServer, 'middlewares' | 'hot'>, events: DevEvents): void {
	const { settings, project, mark, logger } = events;
	const warn = (line: string) => logger.warn(line);
	const handler = lateHandler(
		() =>
			createWebhookHandler({
				verify: verifiersOf(settings, (name) => project.environment()[name]),
				onChange(change) {
					mark(change);
					server.hot.send({ type: 'full-reload' });
					logger.info(`${describeChange(change)} Open pages reload.`);
				},
				onError: (error) => warn(`An event was rejected: ${describeFailure(error)}`),
			}),
		warn,
	);
	const answer = toNodeHandler(handler);
	const path = project.base().replace(/\/$/, '') + settings.path;
	server.middlewares.use((request, response, next) => {
		const asked = askedPath(request);
		if (asked === path || asked === `${path}/`) void answer(request, response);
		else next();
	});
}
