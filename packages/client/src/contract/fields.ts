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

/** Items of a product's own lists that are read, in the service's order: reviews, media, questions. */
export const LONGEST_LIST = 10_000;

/** Elements of a list within an item that are read, in their order. A review has some images, topics and tags. */
const LONGEST_PART = 500;

/** Entries by language that are read, in their order. */
const MOST_LANGUAGES = 200;

/** A list of strings that may be missing or null. An element that is no string costs only itself. */
export const textList = z
	.custom<unknown[]>(Array.isArray)
	.transform((items) => items.slice(0, LONGEST_PART).filter((item) => typeof item === 'string'))
	.nullish()
	.catch(undefined);

/** Values by language tag that may be missing or null. */
export function byLanguage<Value extends z.ZodType>(value: Value) {
	return z
		.custom<Record<string, unknown>>(
			(given) => typeof given === 'object' && given !== null && !Array.isArray(given),
		)
		.transform((given) => Object.fromEntries(Object.entries(given).slice(0, MOST_LANGUAGES)))
		.pipe(z.record(z.string(), value))
		.nullish()
		.catch(undefined);
}

/**
 * A list of `item` that may be missing or null. An element that is none costs only itself.
 * @param most elements that are read.
 */
export function list<Item extends z.ZodType>(item: Item, most = LONGEST_PART) {
	return z
		.custom<unknown[]>(Array.isArray)
		.transform((items) =>
			items.slice(0, most).flatMap((given) => {
				// What is no object is told from one at a hundredth of the cost.
				const read = typeof given === 'object' && given !== null ? item.safeParse(given) : undefined;
				return read?.success ? [read.data as z.output<Item>] : [];
			}),
		)
		.nullish()
		.catch(undefined);
}
