import { fill } from './assets.js';
import drawings from './data/drawings.json' with { type: 'json' };
import motifs from './data/motifs.json' with { type: 'json' };
import type { SeedProduct } from './seed.js';

export const SCENE_WIDTH = 400;
export const SCENE_HEIGHT = 500;

/** The side shadow: a hard edge down the right side of each shape that is filled with `url(#side)`. */
export const DEFINITIONS =
	'<defs><linearGradient id="side"><stop offset=".6" stop-opacity="0"/><stop offset=".6" stop-opacity=".15"/></linearGradient></defs>';

const { scene, palettes } = drawings;

/** Draws a product's shop picture as an SVG document. The result is always the same for the same product. */
export function drawScene(product: Pick<SeedProduct, 'pid' | 'category' | 'motif'>): string {
	const number = Number(product.pid.slice(2));
	return fill(scene.markup.join(''), {
		...paletteOf(product),
		definitions: DEFINITIONS,
		sunX: 70 + ((number * 83) % 260),
		sunY: 84 + ((number * 37) % 60),
		sunSize: 38 + ((number * 13) % 22),
		far: scene.far[number % scene.far.length] ?? '',
		near: scene.near[number % scene.near.length] ?? '',
		object: drawMotif(product.motif, paletteOf(product)),
	});
}

/** The object shown in a product's picture: one of `data/motifs.json`. */
export type MotifName = string;

const MOTIFS: Readonly<Record<string, string>> = motifs;

/**
 * Draws an object as SVG markup. (0, 0) is the center of its base; up is negative.
 * @param colors those that depend on the scene; all others are materials.
 * @throws Error if there is none of this name.
 */
export function drawMotif(name: MotifName, colors: Readonly<Record<'main' | 'accent', string>>): string {
	const markup = MOTIFS[name];
	if (markup === undefined) throw new Error(`There is no motif "${name}".`);
	return fill(markup, colors);
}

/** Returns the colors of a product: by its number, those of the light or the dark scene of its category. */
export function paletteOf({ pid, category }: Pick<SeedProduct, 'pid' | 'category'>) {
	const [light, dark] = palettes[category] as [
		(typeof palettes.home)[number],
		(typeof palettes.home)[number],
	];
	return Number(pid.slice(2)) % 2 === 0 ? dark : light;
}
