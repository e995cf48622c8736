import { z } from 'zod';

/**
 * Schemas of single fields. Only required fields are strict. All others may be missing, null or of a wrong type without
 * invalidating the product's reviews: unreadable values become `undefined`.
 */

/** A product id. The service documents strings; a number is read as its decimal string. */
export const productId = z
	.union([z.string().min(1), z.number().finite()])
	.transform((value) => String(value));

/** A required finite number. */
export const requiredNumber = z.number().finite();

/** A required string; it may be empty. */
export const requiredText = z.string();

/** A string that may be missing or null. */
export const text = z.string().nullish().catch(undefined);

/** A timestamp as sent by the service: ISO 8601, or milliseconds since 1970 as a number. May be missing or null. */
export const time = z.union([z.string(), z.number()]).nullish().catch(undefined);

/** A finite number that may be missing or null. */
export const number = z.number().finite().nullish().catch(undefined);

/** A boolean that may be missing or null. */
export const flag = z.boolean().nullish().catch(undefined);

/** A product id that may be missing or null. */
export const optionalProductId = productId.nullish().catch(undefined);

/** Maximum number of items to read from a product's lists, in the service's order: reviews, media, questions. */
export const LONGEST_LIST = 10_000;

/** Maximum number of elements to read from a list within an item, such as the images, topics and tags of a review. */
const LONGEST_PART = 500;

/** Maximum number of languages to read. */
const MOST_LANGUAGES = 200;

/** A list of strings that may be missing or null. Other elements are dropped one by one. */
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
 * A list of `item` that may be missing or null. Invalid elements are dropped one by one.
 * @param most maximum number of elements to read.
 */
export function list<Item extends z.ZodType>(item: Item, most = LONGEST_PART) {
	return z
		.custom<unknown[]>(Array.isArray)
		.transform((items) =>
			items.slice(0, most).flatMap((given) => {
				// Checking for an object first costs a hundredth of parsing.
				const read = typeof given === 'object' && given !== null ? item.safeParse(given) : undefined;
				return read?.success ? [read.data as z.output<Item>] : [];
			}),
		)
		.nullish()
		.catch(undefined);
}
