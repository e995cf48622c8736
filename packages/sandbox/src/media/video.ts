import { readFileSync } from 'node:fs';

/** A few seconds of a parcel that is opened: the video of every review that has one. `scripts/make-video.mjs` made it. */
export const VIDEO: Buffer = readFileSync(new URL('../../assets/unpacking.webm', import.meta.url));
