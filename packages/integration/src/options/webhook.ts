import { z } from 'astro/zod';

/** Plain path segments: no route patterns, nothing to encode, no `..`. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

const ID_PATH = 'Expected names of properties with dots between them, such as "data.review.pid".';
const idPath = z.string().regex(/^[^.]+(?:\.[^.]+)*$/, { error: ID_PATH });

const variable = z.string().regex(/^[A-Za-z_]\w{0,99}$/, {
	error: 'Expected the name of an environment variable, not its value.',
});

/** Where the review service's events are received, and what they trigger. */
export const webhookSchema = z
	.strictObject({
		/**
		 * Path of the endpoint, below the site's `base`.
		 * @default '/api/reviews/webhook'
		 */
		path: z
			.string()
			.regex(PATH, {
				error:
					'Expected a path that starts with "/", without route patterns or a trailing slash, such as "/api/reviews/webhook".',
			})
			.default('/api/reviews/webhook'),
		/**
		 * For a service that sends a fixed key: the name of its header. The key is in `REVIEWS_WEBHOOK_KEY`, or is the API key
		 * in `REVIEWS_API_KEY`.
		 * @default none: events are signed with the secret in `REVIEWS_WEBHOOK_SECRET`
		 * @example 'x-reviews-key'
		 */
		keyHeader: z.string().regex(HEADER_NAME, { error: 'Expected the name of a header.' }).optional(),
		/**
		 * For a service that can only put a secret into the URL: the name of its parameter. The secret is in
		 * `REVIEWS_WEBHOOK_KEY`. It then stands in the access logs of every server on the way.
		 * @default none
		 * @example 'secret'
		 */
		keyQuery: z.string().min(1).optional(),
		/**
		 * Where the product ids are in an event: names of properties with dots between them, or several of these. Each
		 * property may be an array, of which every element is read. An event without ids means that anything may have changed.
		 * @default ['data.pid', 'data.arrpid.pid', 'pid']
		 * @example 'data.review.pid'
		 */
		ids: z.union([idPath, z.array(idPath)], { error: ID_PATH }).optional(),
		/**
		 * Types of events (`type` or `event` of the body) that are answered and ignored, because they are about no review.
		 * @default ['css_update']
		 */
		ignoreTypes: z.array(z.string()).default(['css_update']),
		/**
		 * Whether the server brings new reviews into its own prerendered pages, within about a second and without a build. It
		 * needs a server that has the project's files, such as one of `@astrojs/node`. A rebuild is then started only if pages
		 * need one.
		 * @default false
		 */
		update: z.boolean().default(false),
		/**
		 * The variable that holds the address of a host's deploy hook. Each event calls it.
		 * @example 'DEPLOY_HOOK_URL'
		 */
		deployHookEnv: variable.optional(),
		/**
		 * Instead of a deploy hook: the GitHub repository whose workflows each event starts with a `repository_dispatch`.
		 * @example 'shop/storefront'
		 */
		github: z.string().regex(REPOSITORY, { error: 'Expected a repository as "owner/name".' }).optional(),
		/**
		 * The variable that holds a token for the repository.
		 * @default 'GITHUB_DISPATCH_TOKEN'
		 */
		githubTokenEnv: variable.default('GITHUB_DISPATCH_TOKEN'),
	})
	.refine(({ deployHookEnv, github }) => deployHookEnv === undefined || github === undefined, {
		error: 'Expected either "deployHookEnv" or "github", not both: one of them starts the rebuild.',
		path: ['github'],
	});

/** How events are received, with all defaults filled in. It contains no secrets, only the names of their variables. */
export type WebhookSettings = z.output<typeof webhookSchema>;
