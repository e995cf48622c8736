import { rect } from '../illustration/shapes.js';
import type { Drawing, Frame } from './frame.js';

/** Material of a surface. */
interface Material {
	readonly fills: readonly string[];
	/** Texture cells per pixel, horizontally and vertically. */
	readonly grain: readonly [number, number];
	/** Strength of the texture, 0 to 1. */
	readonly depth: number;
	readonly texture: string;
}

/** Surfaces that a product may stand on. */
export const SURFACES = {
	oak: surface({
		fills: ['#b98a58', '#c89c6b', '#a87646'],
		grain: [0.0025, 0.09],
		depth: 0.5,
		texture: '#4a2c12',
	}),
	walnut: surface({ fills: ['#6d4a31', '#7c573a'], grain: [0.003, 0.08], depth: 0.55, texture: '#22120a' }),
	linen: surface({
		fills: ['#e6dfd0', '#d3dad6', '#dcc9bb'],
		grain: [0.12, 0.3],
		depth: 0.28,
		texture: '#6b6253',
	}),
	stone: surface({
		fills: ['#b9b6ae', '#9da3a4', '#cfcac0'],
		grain: [0.016, 0.05],
		depth: 0.4,
		texture: '#3c3f42',
	}),
	grass: surface({
		fills: ['#6f9a4f', '#5c8a48', '#84a75a'],
		grain: [0.14, 0.05],
		depth: 0.75,
		texture: '#1d3b17',
	}),
	rock: surface({ fills: ['#8b8d88', '#7a7f82'], grain: [0.008, 0.03], depth: 0.8, texture: '#25292b' }),
	rug: surface({
		fills: ['#c9b79c', '#b56f56', '#7d93a0'],
		grain: [0.2, 0.35],
		depth: 0.45,
		texture: '#3d3127',
	}),
};

function surface({ fills, grain, depth, texture }: Material): Drawing {
	return ({ width, height, horizon, random }: Frame) => {
		const box = [-60, horizon, width + 120, height - horizon + 60] as const;
		return (
			'<filter id="grain" x="0" y="0" width="1" height="1">' +
			`<feTurbulence type="fractalNoise" baseFrequency="${grain.join(' ')}" numOctaves="4" seed="${random.between(1, 999)}"/>` +
			`<feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3 0 0 0 -1.2"/><feComposite operator="in" in="SourceGraphic"/></filter>` +
			rect(...box, random.pick(fills)) +
			`<g opacity="${depth}"><rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}" fill="${texture}" filter="url(#grain)"/></g>` +
			// Darker and blurrier in the distance; slightly lit near the camera.
			rect(...box, 'url(#depth)')
		);
	};
}
