import type { ProductCategory, SeedProduct } from '../seed/products.js';
import type { MotifColours } from './shapes.js';

/** The colours of one scene, from far to near. */
export interface Palette extends MotifColours {
	readonly wall: string;
	readonly sun: string;
	readonly farRidge: string;
	readonly nearRidge: string;
	readonly table: string;
}

const palette = (
	[wall, sun, farRidge, nearRidge, table]: [string, string, string, string, string],
	main: string,
	accent: string,
): Palette => ({ wall, sun, farRidge, nearRidge, table, main, accent });

/** Each category has a light and a dark scene, so that a category page does not look monotonous. */
const PALETTES: Readonly<Record<ProductCategory, readonly [Palette, Palette]>> = {
	kitchen: [
		palette(['#f3d6c6', '#fbf0e4', '#ebbfa8', '#dfa288', '#a8402d'], '#1f4f5e', '#efa53e'),
		palette(['#c4482f', '#f0b79c', '#b43f28', '#9f3522', '#6d2217'], '#f3e8d5', '#f0b04a'),
	],
	home: [
		palette(['#f1d59a', '#fdf4e0', '#e8bf70', '#dcaa52', '#85552a'], '#2c4d5c', '#b7492f'),
		palette(['#d5ddd3', '#f3cb94', '#bdcabd', '#a3b5a5', '#5d7264'], '#b5532f', '#24483e'),
	],
	garden: [
		palette(['#d3e3c6', '#f8dd98', '#aecb9f', '#8ab281', '#3d6a49'], '#b9552f', '#f0dfb8'),
		palette(['#2e604c', '#e9b64f', '#285441', '#204736', '#152f28'], '#dc7a4b', '#f0e2b6'),
	],
	outdoor: [
		palette(['#c0dbe6', '#fce8c0', '#93bccf', '#6396b0', '#2d586c'], '#d9572f', '#f2b740'),
		palette(['#205068', '#f3d9a4', '#1b4458', '#16384b', '#0f2938'], '#f0a63e', '#e6eef0'),
	],
	desk: [
		palette(['#dad5e5', '#f8e6cc', '#beb6d1', '#a299bc', '#54476e'], '#dc7338', '#322d4a'),
		palette(['#3d3c60', '#e9aa7f', '#343352', '#2b2a45', '#1e1d32'], '#ebe0cf', '#e27d43'),
	],
	kids: [
		palette(['#fadcd3', '#fff4cb', '#f3bdb1', '#ea9f95', '#b84a5f'], '#2d7c8c', '#f2b63f'),
		palette(['#f3c647', '#fff1c6', '#ebb530', '#dfa11f', '#cf6a26'], '#cf4747', '#1f5f7a'),
	],
};

/** The colours of a seeded product: its number selects the light or the dark scene of its category. */
export function paletteOf({ pid, category }: Pick<SeedProduct, 'pid' | 'category'>): Palette {
	return PALETTES[category][Number(pid.slice(2)) % 2 === 0 ? 1 : 0];
}
