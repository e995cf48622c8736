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
 * Every word that the components write, by language. A page gets the set of its language by itself; take one from here to
 * use it on pages of another language, or to start a set of your own.
 * @example productReviews({ labels: { ...labels.de, verified: 'Echter Kauf' } })
 */
export const labels = { ar, de, en, es, fr, it, ja, nl, pt } satisfies Record<string, Labels>;
