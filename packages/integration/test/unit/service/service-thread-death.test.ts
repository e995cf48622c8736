import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { startServiceThread } from '../../../dist/service/start-service-thread.js';
import { answer } from '../../support/service/payload.js';
import { rawJson, startRawSockets } from '../../support/service/raw-sockets.js';

const answerFor = (pid: string) => {
	const { html, jsonld } = answer({ pid });
	return rawJson({ status: 200, pid, dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld });
};

afterEach(() => vi.restoreAllMocks());

/** A thread whose service holds its answers back until the test says so, and a way to kill it. */
async function startSetup(goesOn = false) {
	const workers = new Set<Worker>();
	// Each thread is let go when it is started: it keeps no process alive by itself.
	const { unref } = Worker.prototype;
	vi.spyOn(Worker.prototype, 'unref').mockImplementation(function (this: Worker) {
		workers.add(this);
		return unref.call(this);
	});
	let isSilent = true;
	const { url, requests } = await startRawSockets(({ pid }) => (isSilent ? 'silence' : answerFor(pid)));
	const warnings: string[] = [];
	const service = startServiceThread(
		{ baseUrl: url, wsid: 'W-1001', retries: 0, timeout: 20_000, concurrency: 8 },
		{
			token: undefined,
			onRequest: () => {},
			goesOn,
			warn: (message) => warnings.push(message),
		},
	);
	return {
		service,
		warnings,
		workers,
		asked: (count: number) => expect.poll(() => requests.length).toBeGreaterThanOrEqual(count),
		kill: () => [...workers].at(-1)?.terminate(),
		speak: () => {
			isSilent = false;
		},
	};
}

test('what a dead thread did not answer is asked of another one, and said', async () => {
	const { service, warnings, asked, kill, speak } = await startSetup();
	const fetched = Promise.all(['a', 'b', 'c'].map((pid) => service.fetch('reviews', pid)));
	await asked(3);
	speak();
	await kill();
	expect((await fetched).map(({ isEmpty }) => isEmpty)).toEqual([false, false, false]);
	expect(warnings).toEqual([
		'The thread that asks the service ended (it exited with code 1). 3 requests will be repeated on a new one. [PR_THREAD_ENDED]',
	]);
	await service.close();
});

test('where the second one dies, too, all that is asked in a build fails with an error of that name', async () => {
	const { service, warnings, asked, kill } = await startSetup();
	const fetched = Promise.allSettled(['a', 'b'].map((pid) => service.fetch('reviews', pid)));
	await asked(2);
	await kill();
	await asked(4);
	await kill();
	for (const outcome of [
		...(await fetched),
		...(await Promise.allSettled([service.fetch('reviews', 'c')])),
	]) {
		expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'ServiceThreadEndedError' } });
	}
	expect(warnings[1]).toContain('ended again (it exited with code 1), and 2 requests failed.');
	await service.close();
});

test('a dev server asks a third one for what pages want after that', async () => {
	const { service, asked, kill, speak } = await startSetup(true);
	const failed = Promise.allSettled([service.fetch('reviews', 'a')]);
	await asked(1);
	await kill();
	await asked(2);
	await kill();
	expect((await failed)[0]?.status).toBe('rejected');
	speak();
	expect((await service.fetch('reviews', 'a')).isEmpty).toBe(false);
	await service.close();
});
