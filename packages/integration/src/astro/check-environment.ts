import { createRequire } from 'node:module';
import { assertAstro, assertNode } from './supported-versions.js';

/** The version of the project's Astro. */
export const ASTRO_VERSION: string = createRequire(import.meta.url)('astro/package.json').version;

// This module comes before all others, which may fail to load where something is too old: package managers warn of that at
// best, and what Node would say tells nobody what to do.
assertNode(process.versions.node);
assertAstro(ASTRO_VERSION);
