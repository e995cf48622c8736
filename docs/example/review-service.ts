import type { AstroIntegration } from 'astro';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { PRODUCTS } from './products.ts';

/** When the question was answered: the page is the same whenever it is built. */
const NOW = Date.parse('2026-08-22T08:00:00Z');

/**
 * Runs the review service of the example store while a build or a dev server runs. It has to come before the integration,
 * which reads the address.
 */
export function reviewService(): AstroIntegration {
	let sandbox: Sandbox | undefined;
	const close = () => sandbox?.close();
	return {
		name: 'example-review-service',
		hooks: {
			'astro:config:setup': async ({ command }) => {
				if (command !== 'build' && command !== 'dev') return;
				sandbox = await startSandbox({ seed: false, products: PRODUCTS, now: () => NOW });
				sandbox.store.addQuestion('kettle', {
					question: 'Does it work on induction?',
					answer: 'Yes, the base is steel.',
					author: 'Joan C.',
					askedAt: '2026-08-20T08:00:00Z',
				});
				process.env['REVIEWS_BASE_URL'] = sandbox.url;
				process.env['REVIEWS_WSID'] = sandbox.wsid;
				process.env['REVIEWS_TOKEN'] = sandbox.token;
			},
			'astro:build:done': close,
			'astro:server:done': close,
		},
	};
}
