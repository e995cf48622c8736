import { rect } from '../illustration/shapes.js';
import type { Random } from '../seed/random.js';

/** The frame of a photo: its size in pixels, its horizon, and its random numbers. */
export interface Frame {
	readonly width: number;
	readonly height: number;
	/** Distance from the top to the edge between background and surface. */
	readonly horizon: number;
	readonly random: Random;
}

/** Draws one part of a photo as SVG markup. */
export type Drawing = (frame: Frame) => string;

/** Creates a frame, more often in portrait than in landscape, as with phones. */
export function frameOf(random: Random): Frame {
	const [width, height] = random.chance(0.6) ? [900, 1200] : [1200, 900];
	return { width, height, horizon: Math.round(height * (0.5 + random.next() * 0.14)), random };
}

/** A plain background down to the surface. It is wider than the photo, which may be tilted. */
export function wall({ width, horizon }: Frame, fill: string): string {
	return rect(-60, -60, width + 120, horizon + 60, fill);
}

/** The numbers from 0 to `count - 1`. */
export function upTo(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}
