import { z } from 'astro/zod';

/** Plain path segments: no route patterns, nothing to encode, no `..`. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

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
		 * For a sender that cannot sign: the name of the header with a fixed key. The key is in `REVIEWS_WEBHOOK_KEY`.
		 * @default none: events are signed with the secret in `REVIEWS_WEBHOOK_SECRET`
		 * @example 'x-reviews-key'
		 */
		keyHeader: z.string().regex(HEADER_NAME, { error: 'Expected the name of a header.' }).optional(),
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
