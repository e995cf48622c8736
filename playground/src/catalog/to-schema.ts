import type { Product } from './types.ts';

/** The product's own structured data; `<ReviewSchema>` adds the rating and the reviews. */
export function toSchema(product: Product, site: URL) {
	const url = new URL(`/products/${product.slug}/`, site).href;
	return {
		'@id': url,
		url,
		name: product.name,
		sku: product.pid,
		description: product.description,
		image: new URL(`/pictures/${product.pid}.svg`, site).href,
		brand: { '@type': 'Brand', name: 'Fjell & Form' },
		offers: {
			'@type': 'Offer',
			url,
			price: product.price,
			priceCurrency: 'EUR',
			availability: `https://schema.org/${product.stock > 0 ? 'InStock' : 'OutOfStock'}`,
		},
	};
}
