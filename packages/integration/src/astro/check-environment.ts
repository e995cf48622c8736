import { createRequire } from 'node:module';
import { assertAstro, assertNode } from './supported-versions.js';

export const ASTRO_VERSION: string = createRequire(import.meta.url)('astro/package.json').version;

// This module is loaded before all others, which may fail to load on versions that are too old. Package managers only warn
// about those, and Node's own error would not say what to do.
assertNode(process.versions.node);
assertAstro(ASTRO_VERSION);
