import { createHash } from 'node:crypto';
import { MOTIFS } from '../illustration/motifs.js';
import { paletteOf } from '../illustration/palettes.js';
import { ellipse, place } from '../illustration/shapes.js';
import type { SeedProduct } from '../seed/products.js';
import { createRandom } from '../seed/random.js';
import { frameOf } from './frame.js';
import { lensDefinitions, lensEffects } from './lens.js';
import { PLACES } from './places.js';

/**
 * Draws a customer's snapshot of a product, as an SVG document of 900 by 1,200 pixels or the other way round. The place,
 * the tilt and the light vary.
 *
 * @param key The same key always produces the same picture.
 */
export function drawPhoto(
	{ pid, motif, category }: Pick<SeedProduct, 'pid' | 'motif' | 'category'>,
	key: string,
): string {
	const random = createRandom(createHash('sha256').update(key).digest().readUInt32LE());
	const frame = frameOf(random);
	const { width, height, horizon } = frame;
	const [background, surface] = random.pick(PLACES[category]);
	const size = Math.min(width, height * 0.82) * (0.0022 + random.next() * 0.0008);
	const x = width * (0.4 + random.next() * 0.2);
	const foot = horizon + (height - horizon) * (0.42 + random.next() * 0.22);
	const product = place(MOTIFS[motif](paletteOf({ pid, category })), 0, 0, random.between(-4, 4), size);
	const scene =
		`<g filter="url(#far)">${background(frame)}</g>${surface(frame)}` +
		`<g filter="url(#near)" opacity=".55">${ellipse(x + 26, foot + 6, 105 * size, 15 * size, '#000')}</g>` +
		`<g transform="translate(${x} ${foot})${random.chance(0.3) ? ' scale(-1 1)' : ''}">${product}</g>`;
	const [midX, midY] = [width / 2, height / 2];
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
		lensDefinitions(frame) +
		`<g transform="translate(${midX} ${midY}) rotate(${random.between(-3, 3)}) scale(1.08) translate(${-midX} ${-midY})">${scene}</g>` +
		`${lensEffects(frame)}</svg>`
	);
}
