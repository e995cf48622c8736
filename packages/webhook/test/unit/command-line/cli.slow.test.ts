import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { eventOf, messageOfNow, send } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../support/cli.js';

/** A receiver whose command notes what it was asked for, and then does something. */
function start(code: string, args: readonly string[], folder = createFolder()) {
	const run = `echo "$REVIEWS_CHANGED" >> runs; echo begun; ${code}`;
	const file = join(folder, 'runs');
	const runs = () =>
		(existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []).map((line): string[] =>
			JSON.parse(line).pids.toSorted(),
		);
	const program = runCli(['--run', run, '--port', '0', ...args], undefined, folder);
	const status = async () => (await fetch(new URL('/status', await program.url()))).json();
	return { ...program, folder, runs, status };
}

const event = (index: number) => messageOfNow({ body: eventOf(`p-${index}`) });

describe('--immediate', () => {
	test('runs the command for the first event, and once more for all that came meanwhile', async () => {
		const { runs, url, printed } = start('sleep 1', ['--immediate']);
		const address = await url();
		expect(await send(address, event(0))).toBe(202);
		await expect.poll(runs, { interval: 10 }).toHaveLength(1);
		for (const index of [1, 2, 3]) expect(await send(address, event(index))).toBe(202);
		await expect.poll(() => printed().match(/finished in/g)?.length).toBe(2);
		expect(runs()).toEqual([['p-0'], ['p-1', 'p-2', 'p-3']]);
	});

	test('does not retry a command that ends with 3, and says that pages need a rebuild', async () => {
		const { runs, url, printed, status } = start('exit 3', ['--immediate']);
		await send(await url(), event(0));
		await expect.poll(printed).toContain('finished in');
		expect(printed()).toContain('it did what it could, and some pages need a rebuild.');
		expect(await status()).toMatchObject({ waiting: { products: 0 }, counts: { rebuilds: 1, failures: 0 } });
		expect(runs()).toEqual([['p-0']]);
	});
});

describe('SIGTERM', () => {
	const AFTER = ['--debounce', '20ms'];

	test('a second time ends it, and the products stay marked for the next receiver', async () => {
		const { folder, url, printed, child, end } = start('sleep 60', AFTER);
		await send(await url(), event(0));
		await expect.poll(printed).toContain('begun');
		child.kill('SIGTERM');
		await expect.poll(printed).toContain('allowed to finish');
		expect(await end()).toBe(0);
		expect(printed()).toContain('Shutting down now.');
		const again = start('', AFTER, folder);
		await expect.poll(again.runs).toEqual([['p-0'], ['p-0']]);
	});
});
