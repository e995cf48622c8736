import { createHash } from 'node:crypto';

/** An id of 24 hexadecimal digits, the same for the same record. */
export function seedId(kind: 'review' | 'question', pid: string, index: number): string {
	return createHash('sha256').update(`${kind}\0${pid}\0${index}`).digest('hex').slice(0, 24);
}
