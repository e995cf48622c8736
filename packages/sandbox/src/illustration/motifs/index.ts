import type { Motif } from '../shapes.js';
import { desk } from './desk.js';
import { garden } from './garden.js';
import { home } from './home.js';
import { kids } from './kids.js';
import { kitchen } from './kitchen.js';
import { outdoor } from './outdoor.js';

const ALL = { ...kitchen, ...home, ...garden, ...outdoor, ...desk, ...kids };

/** The object shown in a product's picture. */
export type MotifName = keyof typeof ALL;

export const MOTIFS: Readonly<Record<MotifName, Motif>> = ALL;
