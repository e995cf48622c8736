/** A year. Much longer pauses would end at a date that cannot be represented. */
export const LONGEST_PAUSE_IN_MS = 365 * 24 * 60 * 60 * 1_000;
