import type { IncomingMessage } from 'node:http';
import type { HookParameters } from 'astro';
import { z } from 'astro/zod';
import { createWebhookHandler } from 'product-reviews-webhook';
import { toNodeHandler } from 'product-reviews-webhook/node';
import type { ViteDevServer } from 'vite';
import { describeFailure } from '../base/failures.js';
import { sharedMap } from '../base/shared-map.js';
import type { MissingValue } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { WebhookSettings } from '../options/webhook.js';
import type { Logger } from '../project/log-lines.js';
import { ISLANDS } from '../render/fragment.js';
import { describeChange, lateHandler, receptionOf } from '../server/create-endpoint.js';
import type { Project } from './project.js';
import { type DevRun, startDev, startWithoutService } from './start-dev.js';
import { describePage } from './toolbar/describe-page.js';
import {
	EVENTS,
	type PageAnswer,
	type PageQuestion,
	type RefetchAnswer,
	type RefetchRequest,
} from './toolbar/messages.js';

const runs = sharedMap<DevRun>('dev-runs');

/**
 * Starts the reviews of a dev server, its webhook endpoint and what its toolbar app asks. If the service's address or the
 * website ID is not set, the site works without reviews.
 */
export async function startDevServer(
	{ server, logger, toolbar }: Pick<HookParameters<'astro:server:setup'>, 'server' | 'logger' | 'toolbar'>,
	options: ProductReviewsOptions,
	project: Project,
): Promise<DevRun> {
	const missing = project.missing();
	const required = missing.filter(({ isRequired }) => isRequired);
	if (required.length > 0) logger.warn(describeMissing(required));
	// When its configuration changes, Astro restarts the server with a new integration without notifying the old one.
	await runs().get(project.cacheFile())?.stop();
	const run = await (required.length > 0
		? startWithoutService(project.runtimeSettings())
		: startDev({ ...project.site(), storage: undefined, logger }));
	runs().set(project.cacheFile(), run);
	if (required.length === 0) project.pointToCache(logger);
	recordPages(server, run);
	serveToolbar(toolbar, run, missing);
	if (options.webhook) serveWebhook(server, options.webhook, project, run, logger);
	return run;
}

function describeMissing(missing: readonly MissingValue[]): string {
	const list = (nameOf: (value: MissingValue) => string | undefined) => missing.map(nameOf).join(' and ');
	const place = missing[0]?.place;
	return `Pages have no reviews, and builds fail. Not set: ${list(({ what }) => what)}. Set ${list(({ variable }) => variable)} ${place}, or ${list(({ option }) => `"${option}"`)} in productReviews(). [PR_NOT_CONFIGURED]`;
}

/** Records what each page asks for, for the dev toolbar. */
function recordPages({ middlewares }: Pick<ViteDevServer, 'middlewares'>, { pages }: DevRun): void {
	middlewares.use((request, response, next) => {
		const path = requestPath(request);
		const isPart = path.includes(ISLANDS);
		const { promise: closed, resolve } = Promise.withResolvers<void>();
		response.once('close', resolve);
		const answer = () => {
			next();
			return closed;
		};
		const page = isPart ? URL.parse(request.headers.referer ?? '')?.pathname : path;
		void pages.render(page ?? '', answer, isPart);
	});
}

/** Returns the path of a request, with the site's base, which Astro has already removed from `url`. */
function requestPath(request: IncomingMessage & { originalUrl?: string | undefined }): string {
	return (request.originalUrl ?? request.url ?? '').replace(/\?.*/s, '');
}

function serveToolbar(
	toolbar: HookParameters<'astro:server:setup'>['toolbar'],
	{ pages, answerOf, renew }: DevRun,
	missing: readonly MissingValue[],
): void {
	toolbar.on(EVENTS.ask, (message: unknown) => {
		const { data } = questionSchema.safeParse(message);
		if (!data) return;
		const { path, markup } = data;
		const page = describePage({ page: pages.get(path), answerOf, markup, missing, now: Date.now() });
		toolbar.send(EVENTS.answer, { path, page } satisfies PageAnswer);
	});
	toolbar.on(EVENTS.refetch, (message: unknown) => {
		const { data } = refetchSchema.safeParse(message);
		if (!data) return;
		renew(data.pids);
		toolbar.send(EVENTS.refetched, { path: data.path } satisfies RefetchAnswer);
	});
}

const texts = z.array(z.string());
const questionSchema = z.object({
	path: z.string(),
	markup: z.object({ scripts: texts, microdata: texts, isNoindex: z.boolean() }),
}) satisfies z.ZodType<PageQuestion>;
const refetchSchema = z.object({ path: z.string(), pids: texts }) satisfies z.ZodType<RefetchRequest>;

/** Receives events, with or without an adapter. Changed products are marked, and open pages reload. */
function serveWebhook(
	server: Pick<ViteDevServer, 'middlewares' | 'hot'>,
	settings: WebhookSettings,
	project: Pick<Project, 'base' | 'environment'>,
	{ mark }: DevRun,
	logger: Logger,
): void {
	const warn = (line: string) => logger.warn(line);
	const handler = lateHandler(
		() =>
			createWebhookHandler({
				...receptionOf(settings, (name) => project.environment()[name]),
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
		const asked = requestPath(request);
		if (asked === path || asked === `${path}/`) void answer(request, response);
		else next();
	});
}
