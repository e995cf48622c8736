import { InvalidPropError } from '../../errors.js';

/** Reads a numeric prop. A template attribute may pass it as text. @throws TypeError if it is not a number */
export function readCount(name: string, value: number | string, least = 0): number {
	const number = Math.trunc(Number(value));
	if (!Number.isNaN(number)) return Math.max(least, number);
	throw new InvalidPropError(`Expected \`${name}\` to be a number, received '${value}'.`);
}
