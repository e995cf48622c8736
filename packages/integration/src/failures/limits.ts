/**
 * Products whose answers may be of no use before that ends a build which has nothing stored of them: 10, or 5 % of all
 * products, whichever is more. A stranger's review can break the answers of a few products. A new version of the
 * service breaks them all, and a site without reviews is not to be published then.
 */
export const FEW_UNUSABLE = { products: 10, share: 0.05 } as const;

/**
 * Products that may lose all their reviews in one build: fewer than 5, or at most 20 % of the products that had
 * reviews. A merchant deletes the reviews of a few products. That a fifth of a store loses all of them between two
 * builds is what a service looks like whose database or gateway is broken.
 */
export const FEW_VANISHED = { products: 5, share: 0.2 } as const;

/** Whether so many products are few enough that their unusable answers say nothing of the service. */
export function areFewUnusable(unusable: number, products: number): boolean {
	return unusable <= Math.max(FEW_UNUSABLE.products, FEW_UNUSABLE.share * products);
}

/** Whether it may be believed that so many products, of those that had reviews, have none any more. */
export function areFewVanished(vanished: number, products: number): boolean {
	return vanished < FEW_VANISHED.products || vanished <= FEW_VANISHED.share * products;
}
