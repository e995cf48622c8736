import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { send } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { runCli } from '../../support/cli.js';

/** A receiver whose command notes what it was asked for, and then does something. */
function start(code: string, when: readonly string[], folder = createFolder()) {
	const run = `echo "$REVIEWS_CHANGED" >> runs; echo begun; ${code}`;
	const file = join(folder, 'runs');
	const runs = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
	return { ...runCli(['--run', run, '--port', '0', ...when], undefined, folder), folder, runs };
}

const RUN = '{"pids":["p-1"]}';

test('--immediate does not retry a command that ends with 3, and says that pages need a rebuild', async () => {
	const { runs, url, printed } = start('exit 3', ['--immediate']);
	const address = await url();
	await send(address);
	await expect.poll(printed).toContain('finished in');
	expect(printed()).toContain('it did what it could, and some pages need a rebuild.');
	const status = await (await fetch(new URL('/status', address))).json();
	expect(status).toMatchObject({ waiting: { products: 0 }, counts: { rebuilds: 1, failures: 0 } });
	expect(runs()).toEqual([RUN]);
});

test('a second SIGTERM ends a rebuild, and its products stay marked for the next receiver', async () => {
	const { folder, url, printed, child, end } = start('sleep 60', ['--debounce', '20ms']);
	await send(await url());
	await expect.poll(printed).toContain('begun');
	child.kill('SIGTERM');
	await expect.poll(printed).toContain('allowed to finish');
	expect(await end()).toBe(0);
	expect(printed()).toContain('Shutting down now.');
	const again = start('', ['--debounce', '20ms'], folder);
	await expect.poll(again.runs).toEqual([RUN, RUN]);
});
