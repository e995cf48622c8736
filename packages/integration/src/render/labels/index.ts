import type { Labels } from '../../options/labels.js';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

export type { Labels } from '../../options/labels.js';

/** Languages whose words come along. */
type Language = 'ar' | 'de' | 'en' | 'es' | 'fr' | 'it' | 'ja' | 'nl' | 'pt';

/**
 * Every word that the components write, by language. Pages automatically get the set of their language. Use these to show
 * one on pages of another language, or as a base for your own.
 * @example productReviews({ labels: { ...labels.de, verified: 'Echter Kauf' } })
 */
export const labels: Readonly<Record<Language, Labels>> = { ar, de, en, es, fr, it, ja, nl, pt };
