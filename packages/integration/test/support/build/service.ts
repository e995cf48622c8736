import { type Sandbox, startSandbox } from 'product-reviews-sandbox';

/** A text that only the reviews of this product hold. */
export function markOf(index: number): string {
	return `Mark ${index} of this product.`;
}

/** A service with just these products, two reviews each; the texts name the product by its number. @param options.more is added to each text. */
export async function startService(
	pids: readonly string[],
	options: { latency?: number; reviews?: number; more?: () => string } = {},
): Promise<Sandbox> {
	const { reviews = 2, more = () => '' } = options;
	return startSandbox({
		seed: false,
		latency: options.latency ?? 0,
		products: pids.map((pid, index) => ({
			pid,
			name: `Product ${index}`,
			reviews: Array.from({ length: reviews }, (_, number) => ({
				rating: 4 + (number % 2),
				author: `Author ${number}`,
				title: `Title ${number}`,
				body: markOf(index) + more(),
				status: 'published' as const,
				publishedAt: '2026-03-05T10:00:00Z',
			})),
		})),
	});
}

/** `count` product ids. */
export function productIds(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `p-${index + 1}`);
}
