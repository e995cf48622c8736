import { errorOf } from 'product-reviews-test-support/clock';

/** Message and hint of what a function throws, as Astro prints them, without the line that names the code. */
export async function messageOf(action: () => unknown): Promise<string> {
	const { name, message, hint } = await errorOf(action);
	return `${name}: ${message}\n${hint ?? ''}`.replace(/\nPR_[A-Z_]+: npx .*/, '');
}
