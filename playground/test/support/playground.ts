import type { Sandbox } from 'product-reviews-sandbox';

/** Where it is, as a project that tests copy: from their fixtures. */
export const PLAYGROUND = '../../../../../playground';

/** What a build of it needs to ask this service. */
export const runWith = ({ url, token }: Sandbox) => ({
	service: url,
	environment: { REVIEWS_TOKEN: token, PLAYGROUND_CACHE_DIR: './.cache' },
});
