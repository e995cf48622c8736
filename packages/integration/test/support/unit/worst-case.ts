import { expect } from 'vitest';
import { answer, REVIEW, reviewBlock, reviewItem } from '../service/payload.js';
import { readOrRefuse } from './harmless.js';
import { writeAll } from './write.js';

/** Milliseconds of the processor that an action takes: as many on a busy machine as on an idle one. */
function cpuTimeOf(action: () => void): number {
	const before = process.cpuUsage();
	action();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

/** Reads an answer and writes it. @returns whether it was read, and not refused */
function readAndWrite(parts: Parameters<typeof answer>[0]): boolean {
	const product = readOrRefuse(answer(parts));
	if (product) writeAll(product, 'visible');
	return product !== undefined;
}

/** What the largest ordinary answer takes whose texts hold markup, so that the parser has to read it. */
function timeOfLargest(): number {
	const item = reviewItem({ ...REVIEW, body: 'Boils <b>fast</b>. '.repeat(90) });
	const html = reviewBlock(item.repeat(Math.floor(4_190_000 / item.length)));
	return cpuTimeOf(() => expect(readAndWrite({ html, jsonld: '' })).toBe(true));
}

let reference: number | undefined;

/**
 * Expects an action to take about as long as to read the largest ordinary answer: what takes a time that grows with the
 * square of its size takes a hundred times that.
 */
export function expectInTime(action: () => void): void {
	reference ??= timeOfLargest();
	expect(cpuTimeOf(action)).toBeLessThan(8 * reference);
}

/** Reads an answer and writes it, in bounded time. @returns whether it was read, and not refused */
export function isReadInTime(parts: Parameters<typeof answer>[0]): boolean {
	let isRead = false;
	expectInTime(() => {
		isRead = readAndWrite(parts);
	});
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
