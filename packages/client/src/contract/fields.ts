import { z } from 'zod';

/**
 * Readers of single fields. A field that a job needs is read strictly; every other field may be missing, null or
 * of a wrong type without costing the product its reviews: what cannot be read becomes `undefined`.
 */

/** A product id. The service documents strings; a number is read as its decimal string. */
export const productId = z
	.union([z.string().min(1), z.number().finite()])
	.transform((value) => String(value));

/** A number that must be there and finite. */
export const requiredNumber = z.number().finite();

/** A string that must be there; it may be empty. */
export const requiredText = z.string();

/** A string that may be missing or null. */
export const text = z.string().nullish().catch(undefined);

/** A point in time as the service sends it: ISO 8601, or a number of milliseconds since 1970. May be missing or null. */
export const time = z.union([z.string(), z.number()]).nullish().catch(undefined);

/** A finite number that may be missing or null. */
export const number = z.number().finite().nullish().catch(undefined);

/** A boolean that may be missing or null. */
export const flag = z.boolean().nullish().catch(undefined);

/** A product id that may be missing or null. */
export const optionalProductId = productId.nullish().catch(undefined);

/** A list of strings that may be missing or null. An element that is no string costs only itself. */
export const textList = z
	.array(z.string().nullable().catch(null))
	.transform((items) => items.filter((item) => item !== null))
	.nullish()
	.catch(undefined);

/** A list of `item` that may be missing or null. An element that is none costs only itself. */
export function list<Item extends z.ZodType>(item: Item) {
	return z
		.array(item.nullable().catch(null))
		.transform((items) => items.filter((item) => item !== null) as z.output<Item>[])
		.nullish()
		.catch(undefined);
}
