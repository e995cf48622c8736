import type { Motif } from '../shapes.ts';
import { desk } from './desk.ts';
import { garden } from './garden.ts';
import { home } from './home.ts';
import { kids } from './kids.ts';
import { kitchen } from './kitchen.ts';
import { outdoor } from './outdoor.ts';

const ALL = { ...kitchen, ...home, ...garden, ...outdoor, ...desk, ...kids };

/** What a product's picture shows. */
export type MotifName = keyof typeof ALL;

export const MOTIFS: Readonly<Record<MotifName, Motif>> = ALL;
