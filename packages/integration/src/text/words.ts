/** A number for people: `12,000`. */
export function amount(value: number): string {
	return value.toLocaleString('en');
}

/** A number of things for people: `1 page`, `2 pages`. */
export function count(value: number, noun: string): string {
	return `${amount(value)} ${noun}${value === 1 ? '' : 's'}`;
}
