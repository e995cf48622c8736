import { createHash } from 'node:crypto';

/** A stable id of 24 hexadecimal digits for a record. */
export function seedId(kind: 'review' | 'question', pid: string, index: number): string {
	return createHash('sha256').update(`${kind}\0${pid}\0${index}`).digest('hex').slice(0, 24);
}
