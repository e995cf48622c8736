import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import type { PublishTarget } from '../../../../integration/src/publish/run-publish.js';
import { tellChangedPages } from '../../../src/commands/tell-changed-pages.js';

/** Tells that the home page of a site changed. */
async function tell({ site, folder = createFolder() }: { site?: string; folder?: string }) {
	const output = { site, base: '/' } as PublishTarget['output'];
	const asked: unknown[] = [];
	const fetch = async (...args: unknown[]) => {
		asked.push(args);
		return new Response();
	};
	const target = { folder, output, pages: new Set(['/']) };
	const context = { endpoint: undefined, fetch: fetch as typeof globalThis.fetch };
	return { said: await tellChangedPages(target, context), asked };
}

test('without the address of the site, it says what to do', async () => {
	const { said, asked } = await tell({});
	expect(said).toBe(
		'IndexNow was not told what changed: the Astro configuration has no "site". Set it, and build once.',
	);
	expect(asked).toEqual([]);
});

test('a file that is not its own key is none', async () => {
	const folder = createFolder();
	for (const name of ['short', 'with_other_letters', 'x'.repeat(129)])
		writeFileSync(join(folder, `${name}.txt`), name);
	writeFileSync(join(folder, 'another-name.txt'), 'a-key-of-its-own');
	writeFileSync(join(folder, 'a-long-text.txt'), `a-long-text${' '.repeat(1_000)}`);
	expect((await tell({ site: 'https://shop.example', folder })).said).toContain('has no key');
	writeFileSync(join(folder, '12345678.txt'), '12345678\r\n');
	expect((await tell({ site: 'https://shop.example', folder })).said).toBe('IndexNow was told 1 page.');
});

test('a folder that cannot be read is a sentence, not an error', async () => {
	const { said } = await tell({ site: 'https://shop.example', folder: join(createFolder(), 'gone') });
	expect(said).toBe('IndexNow was not told what changed: scandir failed with ENOENT.');
});

test('nothing published is nothing to tell', async () => {
	expect(await tellChangedPages(undefined, { endpoint: undefined, fetch })).toBe(
		'IndexNow was not told anything: no page changed.',
	);
});
