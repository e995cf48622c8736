import { messageOf } from '../errors.js';

/** The message of an error, as a sentence, with its code. */
export function sentenceOf(error: unknown): string {
	const message = messageOf(error);
	return /[.!?\]]$/.test(message) ? message : `${message}.`;
}

/** `1 product`, `1,200 products` */
export function count(value: number, noun: string): string {
	return `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`;
}

/** `12.3 s` */
export function seconds(milliseconds: number): string {
	return `${(milliseconds / 1_000).toFixed(1)} s`;
}
