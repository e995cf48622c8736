import motifs from '../data/motifs.json' with { type: 'json' };
import type { Motif } from './shapes.js';

/** The object shown in a product's picture. */
export type MotifName = keyof typeof motifs;

/** Their markup has the places of the two colours that depend on the scene. */
export const MOTIFS = Object.fromEntries(
	Object.entries(motifs).map(([name, markup]): [string, Motif] => [
		name,
		({ main, accent }) => markup.replaceAll('{main}', main).replaceAll('{accent}', accent),
	]),
) as Readonly<Record<MotifName, Motif>>;
