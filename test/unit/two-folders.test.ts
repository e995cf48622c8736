import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from 'product-reviews-playground/serve.mjs';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, onTestFinished, test } from 'vitest';
import { createTwoFolders } from '../../scripts/demo/create-two-folders.mjs';

test('visitors see the last whole site while the next one is built, and when its build fails', async () => {
	const parent = createFolder();
	/** Empties the folder as a build does, writes one page of two, and the other when it may. */
	const site = createTwoFolders(
		parent,
		async (folder, { text, rest }: { text: string; rest: Promise<void> }) => {
			rmSync(folder, { recursive: true, force: true });
			mkdirSync(folder);
			writeFileSync(join(folder, 'one.html'), text);
			await rest;
			writeFileSync(join(folder, 'two.html'), text);
		},
	);
	await site.build({ text: 'first', rest: Promise.resolve() });
	const server = await serve(site.current);
	onTestFinished(server.close);
	const pages = () =>
		Promise.all(['one', 'two'].map(async (name) => (await fetch(`${server.url}/${name}.html`)).text()));
	expect(await pages()).toEqual(['first', 'first']);

	const rest = Promise.withResolvers<void>();
	const second = site.build({ text: 'second', rest: rest.promise });
	expect(await pages()).toEqual(['first', 'first']);
	rest.resolve();
	await second;
	expect(await pages()).toEqual(['second', 'second']);

	const failed = site.build({ text: 'third', rest: Promise.reject(new Error('no build')) });
	await expect(failed).rejects.toThrow('no build');
	expect(await pages()).toEqual(['second', 'second']);

	await site.build({ text: 'fourth', rest: Promise.resolve() });
	expect(await pages()).toEqual(['fourth', 'fourth']);
});
