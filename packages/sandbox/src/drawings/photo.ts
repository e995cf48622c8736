import { readFileSync } from 'node:fs';
import photos from '../data/photos.json' with { type: 'json' };
import type { ProductCategory, SeedProduct } from '../seed/products.js';
import { createRandom } from '../seed/random.js';
import { drawMotif, fill, paletteOf } from './illustration.js';

/** A background and the material in front of it, by category. */
const PLACES = photos.places as unknown as Readonly<
	Record<ProductCategory, readonly (readonly [background: string, material: keyof typeof photos.materials])[]>
>;

const PHOTO = asset('photo.svg');

/** The backgrounds are wider than every photo: each shows another part. */
const BACKGROUND_WIDTH = 1_300;

/**
 * Draws a customer's snapshot of a product, as an SVG document of 900 by 1,200 pixels or the other way round. The place,
 * the tilt and the light vary.
 *
 * @param key The same key always produces the same picture.
 */
export function drawPhoto(product: Pick<SeedProduct, 'pid' | 'motif' | 'category'>, key: string): string {
	const random = createRandom(key);
	const [width, height] = random.chance(0.6) ? [900, 1200] : [1200, 900];
	const [background, material] = random.pick(PLACES[product.category]);
	const { fills, grain, depth, texture } = photos.materials[material];
	// From the top to the edge between background and surface.
	const horizon = Math.round(height * (0.5 + random.next() * 0.14));
	return fill(PHOTO, {
		width,
		height,
		midX: width / 2,
		midY: height / 2,
		tilt: random.between(-3, 3),
		horizon,
		background: asset(`backgrounds/${background}.svg`),
		shift: random.between(width - BACKGROUND_WIDTH, 0),
		surface: random.pick(fills),
		surfaceWidth: width + 120,
		surfaceHeight: height - horizon + 60,
		depth,
		texture,
		grain: grain.join(' '),
		seed: random.between(1, 999),
		product: drawMotif(product.motif, paletteOf(product)),
		x: width * (0.4 + random.next() * 0.2),
		foot: horizon + (height - horizon) * (0.42 + random.next() * 0.22),
		size: Math.min(width, height * 0.82) * (0.0022 + random.next() * 0.0008),
		lean: random.between(-4, 4),
		mirror: random.chance(0.3) ? -1 : 1,
		sunX: random.chance(0.5) ? 0.12 : 0.88,
		sunY: random.next() * 0.35,
		blur: random.between(9, 17),
		tone: random.pick(photos.tones),
		strength: 0.1 + random.next() * 0.12,
	});
}

function asset(name: string): string {
	return readFileSync(new URL(`../../assets/${name}`, import.meta.url), 'utf8');
}
