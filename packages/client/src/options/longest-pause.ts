/** A year: beyond it a date could not be written any more. */
export const LONGEST_PAUSE_IN_MS = 365 * 24 * 60 * 60 * 1_000;
