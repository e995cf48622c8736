import { rect } from '../illustration/shapes.js';
import type { Random } from '../seed/random.js';

/** What a photo is taken in: its size in pixels, where the wall meets the surface, and where chance comes from. */
export interface Frame {
	readonly width: number;
	readonly height: number;
	/** Height of the edge between background and surface, from the top. */
	readonly horizon: number;
	readonly random: Random;
}

/** Draws a part of a photo as SVG markup. */
export type Drawing = (frame: Frame) => string;

/** Phones are held upright more often than not. */
export function frameOf(random: Random): Frame {
	const [width, height] = random.chance(0.6) ? [900, 1200] : [1200, 900];
	return { width, height, horizon: Math.round(height * (0.5 + random.next() * 0.14)), random };
}

/** A background of one colour down to the surface; wider than the photo, which may be turned a little. */
export function wall({ width, horizon }: Frame, fill: string): string {
	return rect(-60, -60, width + 120, horizon + 60, fill);
}

/** The numbers from 0 to below `count`. */
export function upTo(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}
