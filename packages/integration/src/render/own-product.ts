/** What a rating may not be attached to: search engines take a business that rates itself for self-serving. */
const BUSINESSES = new Set([
	'Organization',
	'Corporation',
	'LocalBusiness',
	'OnlineBusiness',
	'OnlineStore',
	'Store',
]);

/**
 * The page's own Product node as it is written: without values that the page does not have, which must not take the place
 * of those that the service has, and with the type of its offers.
 * @throws TypeError where it is a business and no product.
 * @see https://developers.google.com/search/docs/appearance/structured-data/review-snippet (self-serving reviews)
 */
export function ownProduct(product: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const business = [product['@type']].flat().find((type) => BUSINESSES.has(String(type)));
	if (business !== undefined) {
		throw new TypeError(
			`Expected \`product\` of <ReviewSchema> to be a Product, received a node of "@type": "${business}". Search engines refuse ratings of a business on its own site.`,
		);
	}
	return withOfferType(
		Object.fromEntries(Object.entries(product).filter(([, value]) => value !== undefined)),
	);
}

/** An offer without a type is no offer to a search engine; the type is all that is ever added to it. */
function withOfferType(product: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const { offers } = product;
	if (typeof offers !== 'object' || offers === null) return product;
	const typed = (offer: unknown) =>
		typeof offer === 'object' && offer !== null && !('@type' in offer)
			? { '@type': 'lowPrice' in offer ? 'AggregateOffer' : 'Offer', ...offer }
			: offer;
	return { ...product, offers: Array.isArray(offers) ? offers.map(typed) : typed(offers) };
}
