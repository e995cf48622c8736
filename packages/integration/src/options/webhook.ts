import { z } from 'astro/zod';

/** Segments as an address has them: no pattern of routes, nothing to encode, no way up. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

const variable = z.string().regex(/^[A-Za-z_]\w{0,99}$/, {
	error: 'Expected the name of an environment variable, and not what it holds.',
});

/** Where the review service's events are received, and what they start. */
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
					'Expected a path that begins with "/", without a pattern and without "/" at its end, such as "/api/reviews/webhook".',
			})
			.default('/api/reviews/webhook'),
		/**
		 * For a sender that cannot sign: the header of a fixed key, which `REVIEWS_WEBHOOK_KEY` holds.
		 * @default none: events are signed, with the secret in `REVIEWS_WEBHOOK_SECRET`
		 * @example 'x-reviews-key'
		 */
		keyHeader: z.string().regex(HEADER_NAME, { error: 'Expected the name of a header.' }).optional(),
		/**
		 * The variable that holds the address of a host's deploy hook: each event calls it.
		 * @example 'DEPLOY_HOOK_URL'
		 */
		deployHookEnv: variable.optional(),
		/**
		 * Or: the GitHub repository whose workflows each event starts, by a `repository_dispatch`.
		 * @example 'shop/storefront'
		 */
		github: z.string().regex(REPOSITORY, { error: 'Expected a repository as "owner/name".' }).optional(),
		/**
		 * The variable that holds a token for it.
		 * @default 'GITHUB_DISPATCH_TOKEN'
		 */
		githubTokenEnv: variable.default('GITHUB_DISPATCH_TOKEN'),
	})
	.refine(({ deployHookEnv, github }) => deployHookEnv === undefined || github === undefined, {
		error: 'Expected no repository beside "deployHookEnv": one of the two starts the rebuild.',
		path: ['github'],
	});

/** How events are received, with every default filled in. No secret: only the names of the variables that hold them. */
export type WebhookSettings = z.output<typeof webhookSchema>;
