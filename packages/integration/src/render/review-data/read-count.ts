/** A prop that is a number of things; an attribute of a template may give it as text. @throws TypeError for no number */
export function readCount(name: string, value: number | string, least = 0): number {
	const number = Math.trunc(Number(value));
	if (!Number.isNaN(number)) return Math.max(least, number);
	throw new TypeError(`Expected \`${name}\` to be a number, received '${value}'.`);
}
