import { createClock } from 'product-reviews-test-support/clock';
import { settled } from 'product-reviews-test-support/settled';
import { expect, test } from 'vitest';
import { createCachedResource, type Flight } from '../../../src/cache/cached-resource.js';

function createSetup(begin?: (pid: string) => (() => void) | undefined) {
	const clock = createClock();
	const fresh = new Set<string>();
	const failures = new Map<string, number>();
	const requests: { pid: string; flight: Flight; answer: () => void; fail: (error: Error) => void }[] = [];
	const resource = createCachedResource({
		isFresh: (pid) => fresh.has(pid),
		fetch(pid, flight) {
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			requests.push({ pid, flight, answer: resolve, fail: reject });
			return promise;
		},
		onFailure: (pid) => void failures.set(pid, clock.now()),
		failedAt: (pid) => failures.get(pid),
		failureMemory: 1_000,
		monotonicNow: clock.now,
		...(begin && { begin }),
	});
	return { clock, fresh, requests, resource };
}

test('what is fresh is not requested, unless anew', async () => {
	const { fresh, requests, resource } = createSetup();
	fresh.add('a');
	expect(resource.request('a')).toBeUndefined();
	expect(resource.requestAnew('a')).toBeDefined();
	await settled();
	expect(requests).toHaveLength(1);
});

test('a request is joined while it is under way', async () => {
	const { requests, resource } = createSetup();
	const flight = resource.request('a');
	expect(resource.request('a')).toBe(flight);
	expect(resource.inFlight('a')).toBe(flight);
	await settled();
	requests[0]?.answer();
	await flight?.done;
	expect(resource.inFlight('a')).toBeUndefined();
	expect(resource.request('a')).not.toBe(flight);
});

test('a failed product is left alone for a while', async () => {
	const { clock, requests, resource } = createSetup();
	const flight = resource.request('a');
	await settled();
	requests[0]?.fail(new Error('503'));
	await flight?.done;
	expect([resource.hasFailed('a'), resource.request('a')]).toEqual([true, undefined]);
	clock.pass(1_000);
	expect(resource.hasFailed('a')).toBe(false);
	expect(resource.request('a')).toBeDefined();
});

test('an outdated request is not joined any more, and knows', async () => {
	const { requests, resource } = createSetup();
	const [first] = [resource.request('a'), resource.request('b')];
	resource.outdateAll();
	const second = resource.request('a');
	expect(second).not.toBe(first);
	await settled();
	requests.find(({ flight }) => flight === first)?.answer();
	await first?.done;
	expect([first?.isOutdated, second?.isOutdated]).toEqual([true, false]);
	expect(resource.inFlight('a')).toBe(second);
});

test('arrival comes before the end, and begin and end are counted', async () => {
	let open = 0;
	const { requests, resource } = createSetup(() => {
		if (open > 0) return undefined;
		open += 1;
		return () => {
			open -= 1;
		};
	});
	const flight = resource.request('a');
	expect(resource.request('b')).toBeUndefined();
	await settled();
	requests[0]?.flight.arrive();
	await flight?.arrived;
	expect(open).toBe(1);
	requests[0]?.answer();
	await flight?.done;
	expect(open).toBe(0);
	expect(resource.request('b')).toBeDefined();
});
