/** Milliseconds that the service waits before it answers, and requests in flight: the floor of what a cold build can take. */
export const LATENCY = 20;
export const CONCURRENCY = 16;

/** Most pages of a site that asks for one product after the other: 1,000 take 20 s for that alone. */
const MOST_IN_TURN = 1_000;
/** Megabytes above the baked site. */
const MEMORY = 150;

/**
 * What is built, in this order. Each is compared with the baked site of as many pages, built just before it.
 * - `site`: its folder in `bench/site`; those with one `copy` share caches.
 * - `after`: what it starts from: without it, from no cache at all.
 * - `floor`: whether the network's time is a reference as well.
 * - `bars`: the most that it may have. `ratio` to the reference, `memory` above it, `requests` a product, `rendered` pages.
 * - `isToday`: what people do without the integration: built once, and without a bar.
 */
export const SCENARIOS = [
	{
		name: 'cold',
		title: 'cold: empty store',
		site: 'integration',
		floor: true,
		bars: { ratio: 1.15, memory: MEMORY },
	},
	{
		name: 'warm',
		title: 'warm: nothing changed',
		site: 'integration',
		after: 'cold',
		bars: { ratio: 1.05, memory: MEMORY, requests: 0 },
	},
	{
		name: 'warm-token',
		title: 'warm with a token: which ratings moved?',
		site: 'integration',
		after: 'cold',
		hasToken: true,
		bars: { ratio: 1.05, memory: MEMORY, requests: 0.01 },
	},
	{
		name: 'warm-token-again',
		title: 'the same once more: the store knows the ratings',
		site: 'integration',
		after: 'warm-token',
		hasToken: true,
		bars: { ratio: 1.05, memory: MEMORY, requests: 0.01 },
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

/** Built before a scenario that starts from its caches; the first one of an incremental site is nobody's measure. */
export const FULL_INCREMENTAL = {
	name: 'full-incremental',
	title: 'incremental: the first build',
	site: 'integration',
	copy: 'incremental',
	hasToken: true,
	isIncremental: true,
};
