import { expect } from 'vitest';
import { answer } from '../service/payload.js';
import { readOrRefuse } from './harmless.js';
import { writeAll } from './write.js';

/**
 * Longest that one payload may take. Half a second is usual for the worst; what takes a time that grows with the square
 * of its size takes minutes.
 */
export const LIMIT_IN_MS = 4_000;

/** Milliseconds of the processor that an action takes: as many on a busy machine as on an idle one. */
export function cpuTimeOf(action: () => void): number {
	const before = process.cpuUsage();
	action();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

/** Reads a payload and writes it, in bounded time. @returns whether it was read, and not refused */
export function isReadInTime(parts: Parameters<typeof answer>[0]): boolean {
	const payload = answer(parts);
	let isRead = false;
	const time = cpuTimeOf(() => {
		const product = readOrRefuse(payload);
		isRead = product !== undefined;
		if (product) writeAll(product, 'visible');
	});
	expect(time).toBeLessThan(LIMIT_IN_MS);
	return isRead;
}

/** Many of something, each with its number. */
export function numbered(count: number, write: (index: number) => string): string {
	return Array.from({ length: count }, (_, index) => write(index)).join('');
}

/** Many of something, each in the one before it. */
export function nested(open: string, close: string, depth: number): string {
	return open.repeat(depth) + close.repeat(depth);
}
