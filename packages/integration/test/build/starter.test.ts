import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { freePort, listenInTest } from 'product-reviews-test-support/listen';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { afterAll, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';

const project = createProject('../../../../../examples/starter');
afterAll(project.remove);

const port = await freePort();
project.change('with-sandbox.mjs', (text) => text.replace(/PORT = 4400/, `PORT = ${port}`));

/** Starts a script of the store's package.json. */
function script(name: string) {
	const { scripts } = JSON.parse(readFileSync(join(project.root, 'package.json'), 'utf8'));
	const [program, ...args] = scripts[name].split(' ');
	expect(program).toBe('node');
	return runNodeInTest(args, { cwd: project.root, env: cleanEnvironment() });
}

async function build() {
	const { ended, output } = script('build');
	expect(await ended, output()).toBe(0);
	return output();
}

const photosOf = (page: string) => [...new Set(page.match(/http:\/\/[^"\s]+\/media\/reviews\/[^"\s]+/g))];

test('a review that was written in dev is in the next build, whose photos load in preview', async () => {
	const dev = script('dev');
	const [, service = ''] = await dev.says(/Write a review at (\S+),/);
	expect(service).toBe(`http://127.0.0.1:${port}`);
	await fetch(`${service}/__sandbox/products/p-2/reviews`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ rating: 5, title: 'Written in dev', author: 'Ada', body: 'New.' }),
	});
	await dev.end();

	const log = await build();
	expect(log).not.toMatch(/WARN|no adapter/);
	expect(log.slice(log.indexOf('Complete!'))).toMatch(/invented[\s\S]+\.env[\s\S]+"node with-sandbox\.mjs"/);
	expect(project.read('products/p-2/index.html')).toContain('Written in dev');

	const preview = script('preview');
	const [, address] = await preview.says(/(http:\/\/localhost:\d+)/);
	const page = await (await fetch(`${address}/products/p-1/`)).text();
	const photos = photosOf(page);
	expect(photos.length).toBeGreaterThan(2);
	for (const photo of photos) expect((await fetch(photo)).status, photo).toBe(200);
});

test('if the port is taken, a build says so, has the same reviews, and its photos are at the port', async () => {
	const taken = createServer((_, response) => response.end());
	await listenInTest(taken, port);
	const log = await build();
	expect(log).toMatch(`Port ${port} is taken`);
	expect(log).toContain('change PORT in with-sandbox.mjs');
	expect(project.read('products/p-2/index.html')).toContain('Written in dev');
	for (const photo of photosOf(project.read('products/p-1/index.html')))
		expect(photo).toContain(`http://127.0.0.1:${port}/`);
});

test('its data is not in its repository', () => {
	expect(existsSync(join(project.root, '.product-reviews/sandbox.db'))).toBe(true);
	expect(readFileSync(join(project.root, '.gitignore'), 'utf8').split('\n')).toContain('.product-reviews/');
});
