import { expect, test } from 'vitest';
import { startStub } from '../support/setup.js';

/** Processor time that a request takes where so many wait for their turn with the same signal, in microseconds. */
async function timeOfEach(count: number): Promise<number> {
	const { client } = startStub();
	const { signal } = new AbortController();
	const before = process.cpuUsage().user;
	const asked = Array.from({ length: count }, (_, index) =>
		client.getCrawlerReviews(`p-${index}`, { signal }),
	);
	await Promise.all(asked);
	return (process.cpuUsage().user - before) / count;
}

/** All of them take ten seconds. */
const MANY = process.env['TEST_FULL'] === '1' ? 100_000 : 30_000;

test(`a request takes no longer where ${MANY} others wait`, async () => {
	await timeOfEach(2_000);
	const few = await timeOfEach(5_000);
	expect((await timeOfEach(MANY)) / few).toBeLessThan(2);
});
