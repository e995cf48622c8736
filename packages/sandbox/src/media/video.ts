import { readFileSync } from 'node:fs';

/** The video of every review that has one: a few seconds of unpacking. Created by `scripts/make-video.mjs`. */
export const VIDEO: Buffer = readFileSync(new URL('../../assets/unpacking.webm', import.meta.url));
