const EURO = new Intl.NumberFormat('en-IE', {
	style: 'currency',
	currency: 'EUR',
	trailingZeroDisplay: 'stripIfInteger',
});

/** Formats a price: `€64`, `€19.90`. */
export function formatPrice(price: number): string {
	return EURO.format(price);
}
