import { z } from 'astro/zod';
import { SERVICE_NAMES } from 'product-reviews-webhook';

/** Plain path segments: no route patterns, nothing to encode, no `..`. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

const ID_PATH = 'Expected names of properties with dots between them, such as "data.review.pid".';
const idPath = z.string().regex(/^[^.]+(?:\.[^.]+)*$/, { error: ID_PATH });

const variable = z.string().regex(/^[A-Za-z_]\w{0,99}$/, {
	error: 'Expected the name of an environment variable, not its value.',
});

/** Receives the review service's events, and triggers updates and rebuilds. */
export const webhookSchema = z
	.strictObject({
		/**
		 * Path of the endpoint, below the site's `base`.
		 * @default '/api/reviews/webhook'
		 * @example '/hooks/reviews'
		 */
		path: z
			.string()
			.regex(PATH, {
				error:
					'Expected a path that starts with "/", without route patterns or a trailing slash, such as "/api/reviews/webhook".',
			})
			.default('/api/reviews/webhook'),
		/**
		 * The service that sends the webhooks. Its signature, and where the product IDs are, are then known: see
		 * [Webhooks of your review service](/fresh/webhooks/#webhooks-of-your-review-service).
		 * @default that of the option `provider`, if it's one of these; otherwise webhooks as the other options describe them
		 * @example 'judgeme'
		 */
		from: z.enum(SERVICE_NAMES).optional(),
		/**
		 * For a service that sends a fixed key instead of a signature: the name of its header. The key is in
		 * `REVIEWS_WEBHOOK_KEY`, or it's the API key in `REVIEWS_API_KEY`.
		 * @default none: webhooks are signed with the secret in `REVIEWS_WEBHOOK_SECRET`
		 * @example 'x-reviews-key'
		 */
		keyHeader: z.string().regex(HEADER_NAME, { error: 'Expected the name of a header.' }).optional(),
		/**
		 * For a service that can only put a secret into the URL: the name of its parameter. The secret is in
		 * `REVIEWS_WEBHOOK_KEY`. It then also appears in the access logs of every server on the way.
		 * @default none
		 * @example 'secret'
		 */
		keyQuery: z.string().min(1).optional(),
		/**
		 * Path of the product IDs in a webhook's body: names of properties with dots between them, or several of these. If
		 * a property is an array, each of its elements is read. A webhook without IDs means that any product could have
		 * changed.
		 * @default ['data.pid', 'data.arrpid.pid', 'pid']
		 * @example 'data.review.pid'
		 */
		ids: z.union([idPath, z.array(idPath)], { error: ID_PATH }).optional(),
		/**
		 * Types of webhooks (`type`, `event` or `model` in the body) that are accepted and ignored, because they don't concern
		 * reviews.
		 * @default ['css_update']
		 * @example ['css_update', 'question_asked']
		 */
		ignoreTypes: z.array(z.string()).default(['css_update']),
		/**
		 * Writes new reviews into the server's own prerendered pages, within about a second and without a build. This needs a
		 * server that has the project's files, for example with `@astrojs/node`. A rebuild is then only started
		 * if pages need one.
		 * @default false
		 * @example true
		 */
		update: z.boolean().default(false),
		/**
		 * Name of the environment variable with the URL of your host's deploy hook. Each webhook calls it.
		 * @default none
		 * @example 'DEPLOY_HOOK_URL'
		 */
		deployHookEnv: variable.optional(),
		/**
		 * Instead of a deploy hook: a GitHub repository whose workflows each webhook starts with a `repository_dispatch`.
		 * @default none
		 * @example 'shop/storefront'
		 */
		github: z.string().regex(REPOSITORY, { error: 'Expected a repository as "owner/name".' }).optional(),
		/**
		 * Name of the environment variable with a token for the repository.
		 * @default 'GITHUB_DISPATCH_TOKEN'
		 * @example 'STOREFRONT_TOKEN'
		 */
		githubTokenEnv: variable.default('GITHUB_DISPATCH_TOKEN'),
	})
	.refine(({ deployHookEnv, github }) => deployHookEnv === undefined || github === undefined, {
		error: 'Expected either "deployHookEnv" or "github", not both: one of them starts the rebuild.',
		path: ['github'],
	})
	.refine(({ from, keyHeader, keyQuery, ids }) => !from || (keyHeader ?? keyQuery ?? ids) === undefined, {
		error: 'Expected no "keyHeader", "keyQuery" or "ids" beside it: the service decides them.',
		path: ['from'],
	});

/** The option `webhook` with all defaults filled in. It contains no secrets, only the names of their variables. */
export type WebhookSettings = z.output<typeof webhookSchema>;
