import { startStub } from './stub.js';

/**
 * Asks a service for `total` products, 16 at once. It answers after 50 ms, and refuses with 429 what comes while more than
 * `most` requests are in flight. Time passes only as the service and the client wait.
 *
 * @param most of the milliseconds since the first request.
 */
export async function simulate(total: number, most: (now: number) => number) {
	let seed = 1;
	const random = () => {
		seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return seed / 2 ** 32;
	};
	const { client, answer, sleep, monotonicNow } = startStub({
		concurrency: 16,
		retries: 20,
		random,
		timeout: 1_000_000_000,
		deadline: 1_000_000_000,
	});
	const starts: number[] = [];
	let [inFlight, refused] = [0, 0];
	answer(async () => {
		starts.push(++inFlight);
		const isRefused = inFlight > most(monotonicNow());
		if (isRefused) refused += 1;
		await sleep(isRefused ? 5 : 50);
		inFlight -= 1;
		return isRefused ? new Response('{}', { status: 429 }) : new Response();
	});
	await Promise.all(Array.from({ length: total }, (_, product) => client.getCrawlerReviews(`p-${product}`)));
	/** How long all took in the service's time, and how many were in flight as each was sent, that one included. */
	return { ms: monotonicNow(), starts, refused };
}
