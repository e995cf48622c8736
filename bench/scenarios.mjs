/** Latency of the service in milliseconds, and requests in flight, unless a scenario says otherwise: they limit how fast a cold build can be. */
export const LATENCY = 20;
export const CONCURRENCY = 16;

/** The reference: the same pages, built from ready-made html in place of the components. */
export const BAKED = { name: 'baked', title: 'baked: ready-made html', site: 'baked' };
/** The reference of pages whose own code takes 10 ms. */
const BAKED_SLOW = { ...BAKED, name: 'baked-slow', title: 'baked, 10 ms a page', pageMs: 10 };

/** What a user would pick instead: requests in the page, and Astro's option `build.concurrency`. */
const FETCHED = {
	name: 'fetch-8',
	title: 'fetch() in the page, build.concurrency 8',
	site: 'fetch',
	latency: 25,
	buildConcurrency: 8,
};

/** Maximum number of pages of a site that fetches products one after the other: 1,000 take 20 s for requests alone. */
const MOST_IN_TURN = 1_000;
/** Limits of a build in which nothing changed. */
const NOTHING_CHANGED = { ratio: 1.6, cpu: 1.7, memory: 40 };

/**
 * All scenarios, in order. Each is compared with the baked site of the same number of pages, built right before it.
 * - `site`: its folder in `bench/site`; scenarios with the same `copy` share caches.
 * - `after`: the scenario whose caches it starts from; without it, it starts without any cache.
 * - `floor`: whether the time for requests is a reference as well.
 * - `reference`: what it is compared with. @default BAKED
 * - `buildConcurrency`: pages that Astro renders at once. @default Astro's own, 1
 * - `pageMs`: processor time of the site's own code in each page, in milliseconds.
 * - `bars`: upper limits. `ratio` of wall time and `cpu` of processor time to the reference, `cpuAbove` it in milliseconds per
 *   product, `memory` above it in megabytes, `requests` per product, `rendered` pages.
 * - `isToday`: an alternative to the integration, built once and without limits.
 */
export const SCENARIOS = [
	{
		name: 'cold',
		title: 'cold: empty store',
		site: 'integration',
		floor: true,
		bars: { memory: 130 },
	},
	{
		name: 'cold-slow',
		title: 'cold: a service that answers after 100 ms',
		site: 'integration',
		floor: true,
		copy: 'small',
		most: 2_000,
		latency: 100,
		concurrency: 8,
		bars: { ratio: 1.15 },
	},
	{
		name: 'warm',
		title: 'warm: nothing changed',
		site: 'integration',
		after: 'cold',
		bars: { ...NOTHING_CHANGED, requests: 0 },
	},
	{
		name: 'warm-slow',
		title: 'warm: pages that take 10 ms',
		site: 'integration',
		copy: 'small',
		after: 'cold-slow',
		most: 2_000,
		reference: BAKED_SLOW,
		pageMs: BAKED_SLOW.pageMs,
		bars: { ratio: 1.06, requests: 0 },
	},
	{
		name: 'warm-token',
		title: 'warm with a token: ratings are compared',
		site: 'integration',
		after: 'cold',
		hasToken: true,
		bars: { ...NOTHING_CHANGED, requests: 0.01 },
	},
	{
		name: 'warm-token-again',
		title: 'the same again: ratings are stored',
		site: 'integration',
		after: 'warm-token',
		hasToken: true,
		bars: { ...NOTHING_CHANGED, requests: 0.01 },
	},
	{
		name: 'incremental',
		title: 'incremental, with a token: one review changed',
		site: 'integration',
		copy: 'incremental',
		after: 'full-incremental',
		hasToken: true,
		isIncremental: true,
		changes: true,
		bars: { rendered: 1 },
	},
	{
		name: 'first',
		title: 'first build, against fetch() in the page',
		site: 'integration',
		copy: 'first',
		most: 1_000,
		latency: FETCHED.latency,
		concurrency: 8,
		reference: FETCHED,
		bars: { ratio: 1.05, cpu: 1.5 },
	},
	{
		name: 'second',
		title: 'nothing changed, against fetch() in the page',
		site: 'integration',
		copy: 'first',
		after: 'first',
		most: 1_000,
		latency: FETCHED.latency,
		concurrency: 8,
		reference: FETCHED,
		bars: { ratio: 0.75, requests: 0 },
	},
	{
		name: 'fetch',
		title: 'today: fetch() in the page',
		site: 'fetch',
		floor: true,
		most: MOST_IN_TURN,
		isToday: true,
	},
	{
		name: 'collection',
		title: 'today: content collection, cold',
		site: 'collection',
		floor: true,
		isToday: true,
	},
	{
		name: 'collection-warm',
		title: 'today: content collection, warm',
		site: 'collection',
		after: 'collection',
		isToday: true,
	},
	{
		name: 'collection-chunked',
		title: "today: content collection in Astro's chunked storage, cold",
		site: 'collection',
		copy: 'collection-chunked',
		isChunked: true,
		floor: true,
		isToday: true,
	},
	{
		name: 'eleventy-fetch',
		title: 'today: eleventy-fetch in the page, cold',
		site: 'eleventy-fetch',
		floor: true,
		most: MOST_IN_TURN,
		isToday: true,
	},
	{
		name: 'eleventy-fetch-warm',
		title: 'today: eleventy-fetch in the page, warm',
		site: 'eleventy-fetch',
		after: 'eleventy-fetch',
		most: MOST_IN_TURN,
		isToday: true,
	},
];

/** Only prepares the caches for the incremental scenario, and is not measured. */
export const FULL_INCREMENTAL = {
	name: 'full-incremental',
	title: 'incremental: the first build',
	site: 'integration',
	copy: 'incremental',
	hasToken: true,
	isIncremental: true,
};
