import { ar } from './ar.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { ja } from './ja.js';
import type { Labels } from './labels.js';
import { nl } from './nl.js';
import { pt } from './pt.js';

export type { Labels } from './labels.js';

/**
 * Every word that the components write, by language. Pages automatically get the set of their language. Use these to show
 * one on pages of another language, or as a base for your own.
 * @example productReviews({ labels: { ...labels.de, verified: 'Echter Kauf' } })
 */
export const labels = { ar, de, en, es, fr, it, ja, nl, pt } satisfies Record<string, Labels>;
