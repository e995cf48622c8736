/**
 * Longest pause that a process which lives long believes the service to want, in milliseconds: a server or `astro dev`. A
 * `Retry-After` of a year, sent by mistake, would leave pages without new reviews until a restart. After the pause one
 * request finds out.
 */
export const LONGEST_PAUSE = 300_000;
