import { fill } from './assets.js';
import motifs from './data/motifs.json' with { type: 'json' };
import scenes from './data/scenes.json' with { type: 'json' };
import type { SeedProduct } from './seed.js';

export const SCENE_WIDTH = 400;
export const SCENE_HEIGHT = 500;

/** The side shadow: a hard edge down the right side of each shape that is filled with `url(#side)`. */
export const DEFINITIONS =
	'<defs><linearGradient id="side"><stop offset=".6" stop-opacity="0"/><stop offset=".6" stop-opacity=".15"/></linearGradient></defs>';

/** Draws the shop picture of a seeded product as an SVG document: its object in a landscape of its category. */
export function drawScene({ pid, motif }: Pick<SeedProduct, 'pid' | 'motif'>): string {
	const scene = sceneOf(pid);
	const object = drawMotif(motif, scene);
	return fill(scenes.markup.join(''), { ...scene, definitions: DEFINITIONS, object });
}

/** Returns the colors and shapes of a seeded product's picture. */
export const sceneOf = (pid: string) => scenes.products[pid as keyof typeof scenes.products];

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
