/**
 * How many products with unusable answers, and nothing stored, a build tolerates: 10, or 5 % of all products, whichever is
 * more. A malicious review can break the answers of a few products. A new version of the service breaks all of them, and
 * then a site without reviews must not be published.
 */
export const FEW_UNUSABLE = { products: 10, share: 0.05 } as const;

/**
 * How many products may lose all their reviews in one build: fewer than 5, or at most 20 % of the products that had
 * reviews. A merchant may delete the reviews of a few products. If a fifth of a store loses all of them between two builds,
 * a database or gateway of the service is probably broken.
 */
export const FEW_VANISHED = { products: 5, share: 0.2 } as const;

/**
 * How long a loss counts in a server, which has no builds to compare, in milliseconds: a day. Losses that were not believed
 * count until the product has reviews again.
 */
export const VANISHED_WITHIN = 86_400_000;

/** Whether so few products have unusable answers that the service itself is probably fine. */
export function areFewUnusable(unusable: number, products: number): boolean {
	return unusable <= Math.max(FEW_UNUSABLE.products, FEW_UNUSABLE.share * products);
}

/** Whether it is plausible that so many products, of those that had reviews, have none any more. */
export function areFewVanished(vanished: number, products: number): boolean {
	return vanished < FEW_VANISHED.products || vanished <= FEW_VANISHED.share * products;
}
