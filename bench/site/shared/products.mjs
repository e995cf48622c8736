// The catalog, computed from a product's number so that it costs the same in every site and uses no memory.
const COLORS = ['Sage', 'Ochre', 'Slate', 'Chalk', 'Rust', 'Ink', 'Moss'];
const THINGS = ['kettle', 'lantern', 'desk lamp', 'watering can', 'rucksack', 'bread bin', 'wool blanket'];

export function productIds() {
	return Array.from({ length: Number(process.env.BENCH_PRODUCTS) }, (_, index) => `p-${index + 1}`);
}

export function productPaths() {
	const { BENCH_INCREMENTAL: incremental } = process.env;
	return productIds().map((pid) => ({ params: { pid }, ...(incremental && { cacheKey: 'v1' }) }));
}

export function numberOf(pid) {
	return Number(pid.slice(2));
}

export function productOf(pid) {
	takeTime(Number(process.env.BENCH_PAGE_MS));
	const number = numberOf(pid);
	const name = `${COLORS[number % 7]} ${THINGS[(number * 3) % 7]} ${number}`;
	return {
		pid,
		name,
		sku: `SKU-${number}`,
		price: (number % 180) + 19.9,
		image: `https://shop.example/images/${pid}.jpg`,
		related: Array.from({ length: 6 }, (_, index) => `p-${number + index + 1}`),
		facts: [
			['Weight', `${(number % 40) + 1} kg`],
			['Width', `${(number % 90) + 10} cm`],
			['Height', `${(number % 70) + 12} cm`],
			['Depth', `${(number % 50) + 8} cm`],
			['Color', COLORS[number % 7]],
			['Material', number % 2 ? 'Recycled steel, powder-coated' : 'Solid ash, oiled'],
			['Care', 'Wipe with a soft damp cloth; never in a dishwasher'],
			['Guarantee', 'Five years on everything but wear'],
		],
	};
}

/** What the site's own code in a page takes. */
function takeTime(milliseconds) {
	const end = performance.now() + milliseconds;
	while (performance.now() < end);
}

/** The page's own Product node. */
export function schemaOf({ name, sku, price, image }) {
	return {
		name,
		sku,
		image,
		brand: { '@type': 'Brand', name: 'Fjell & Form' },
		offers: { price, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
	};
}
