import { readProductList } from '../../../build/read-product-list.js';
import type { ProductSource } from '../../../options/schema.js';
import type { ListFacts } from '../facts.js';
import { troubleOf } from './trouble.js';

/** How long the list may take, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Reads the first id of the product list, or, if a product is wanted, as far as that one.
 * @param patience in milliseconds.
 */
export async function readList(
	source: ProductSource | undefined,
	wanted: string | undefined,
	patience = PATIENCE,
): Promise<ListFacts> {
	if (!source) return { state: 'none' };
	let length: number | undefined;
	const seen = new Set<string>();
	const ids = readProductList(source, { seen, onLength: (given) => (length = given), onDuplicate: () => {} });
	const { promise: timeUp, resolve } = Promise.withResolvers<'late'>();
	const timer = setTimeout(resolve, patience, 'late');
	try {
		let first: string | undefined;
		for (;;) {
			const step = await Promise.race([ids.next(), timeUp]);
			if (step === 'late' && first === undefined) return late(patience);
			if (step === 'late' || step.done) {
				const hasProduct = step === 'late' ? undefined : false;
				return { state: 'read', first: first ?? '', length, read: seen.size, hasProduct };
			}
			first ??= step.value;
			if (wanted === undefined || step.value === wanted) {
				return {
					state: 'read',
					first,
					length,
					read: seen.size,
					hasProduct: wanted === undefined ? undefined : true,
				};
			}
		}
	} catch (error) {
		return { state: 'failed', trouble: troubleOf(error, 'PR_PRODUCT_LIST_UNREADABLE') };
	} finally {
		clearTimeout(timer);
		// A list that hangs would never end.
		void ids.return().catch(() => {});
	}
}

function late(patience: number): ListFacts {
	return {
		state: 'failed',
		trouble: {
			code: 'PR_PRODUCT_LIST_UNREADABLE',
			reason: `The product list gave no product within ${patience / 1_000} s.`,
			next: 'Check the code behind the option "products", such as the catalogue that it asks.',
		},
	};
}
