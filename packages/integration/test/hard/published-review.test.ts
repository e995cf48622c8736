import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createFolder } from 'product-reviews-test-support/folder';
import { findProgram, needs } from 'product-reviews-test-support/programs';
import { SECRET } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UPDATE_LINE } from '../support/build/project.js';
import { startReceiver } from '../support/build/receiver.js';
import { productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(24);

/** A service, and a shop that is built from it. */
async function createShop(environment: Record<string, string> = {}) {
	const { project, service } = await startShop('store', PIDS, { environment, atEnd: onTestFinished });
	await project.build();
	service.requests.reset();
	/** Lets the service tell a receiver, which runs a command. */
	const receive = async (line: string, ...when: string[]) => {
		const receiver = await startReceiver(project, { ...project.buildCommand(), line }, when);
		onTestFinished(receiver.close);
		return receiver;
	};
	/** Makes an edit as a shop's owner does: over HTTP. @returns the review's id */
	const edit = async (method: string, path: string, body: object = {}): Promise<string> => {
		const response = await fetch(`${service.url}/__sandbox/${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect(response.ok).toBe(true);
		return (await response.json()).id;
	};
	const write = (pid: string, body: string, status = 'published') =>
		edit('POST', `products/${pid}/reviews`, { rating: 1, author: 'New', title: 'New', body, status });
	return { service, project, receive, edit, write };
}

test('a review that is published is on its page by itself; edits meanwhile, twice and in disorder, are one more rebuild', async () => {
	const { service, project, receive, edit, write } = await createShop({ REVIEWS_TOKEN: 'sandbox-token' });
	const contents = () => new Map(project.files().map((path) => [path, project.read(path)]));
	const before = contents();
	const held = `${project.buildCommand().line} && until [ -e released ]; do sleep 0.1; done`;
	const receiver = await receive(held, '--debounce', '1s');
	const id = await write('p-22', 'Just published.', 'unpublished');
	service.webhooks.add({ url: receiver.url, secret: SECRET, duplicates: 2, disorder: { ms: 200 } });
	/** A build takes the old pages away before it writes the new ones. */
	const pageOf = (pid: string) => {
		try {
			return project.read(`products/${pid.replace('p-', 'n')}/index.html`);
		} catch {
			return '';
		}
	};

	await edit('POST', `reviews/${id}/publish`);
	await expect.poll(() => pageOf('p-22')).toContain('Just published.');
	// One request for reviews, and one for the ratings of all lists.
	const asked = () => service.requests.all.map(({ operation, pids }) => `${operation} ${pids.toSorted()}`);
	await expect.poll(contents).toHaveLength(before.size);
	expect(asked()).toEqual([`starRating ${PIDS.toSorted()}`, 'crawlerReviews p-22']);
	expect([...contents()].filter(([path, text]) => text !== before.get(path)).map(([path]) => path)).toEqual([
		'products/n22/index.html',
	]);

	const edited = ['p-3', 'p-4', 'p-5'];
	for (const pid of edited) {
		const written = await write(pid, 'First text.');
		await edit('PATCH', `reviews/${written}`, { body: `Last text of ${pid}.` });
	}
	await service.webhooks.settled();
	writeFileSync(join(project.root, 'released'), '');
	for (const pid of edited) await expect.poll(() => pageOf(pid)).toContain(`Last text of ${pid}.`);
	expect(await receiver.idle()).toBe(2);
	expect(asked().slice(2).toSorted()).toEqual([
		...edited.map((pid) => `crawlerReviews ${pid}`),
		`starRating ${PIDS.toSorted()}`,
	]);
	for (const secret of [SECRET, SECRET.slice('whsec_'.length), service.token])
		expect(receiver.output()).not.toContain(secret);
});

/** Serves a folder with nginx and `gzip_static`, on a socket of its own. */
async function startNginx(root: string) {
	const folder = createFolder('nginx');
	const socketPath = join(folder, 'socket');
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
	const config = `
daemon off;
pid ${folder}/nginx.pid;
worker_processes 1;
events { worker_connections 64; }
http {
	types { text/html html; }
	access_log off;
	${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n\t')}
	server {
		listen unix:${socketPath};
		root ${root};
		gzip_static on;
	}
}
`;
	writeFileSync(join(folder, 'nginx.conf'), config);
	const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')];
	const child = spawn(findProgram('nginx', '-v') ?? 'nginx', args, { stdio: 'inherit' });
	onTestFinished(async () => {
		const ended = once(child, 'exit');
		child.kill('SIGTERM');
		await ended;
	});
	/** The text of a page, and whether it was sent from its compressed copy. */
	const get = async (path: string) => {
		const sent = request({ socketPath, path, headers: { 'accept-encoding': 'gzip' } }).end();
		const [response] = await once(sent, 'response');
		const body = await buffer(response);
		const isCompressed = response.headers['content-encoding'] === 'gzip';
		return { text: String(isCompressed ? gunzipSync(body) : body), isCompressed };
	};
	await vi.waitFor(() => get('/'), { timeout: 30_000 });
	return get;
}

test(
	'behind nginx with compressed copies, published at once, it is in the answer',
	needs('nginx'),
	async () => {
		const { service, project, receive, write } = await createShop();
		const dist = join(project.root, 'dist');
		for (const name of project.files().filter((file) => file.endsWith('.html')))
			writeFileSync(join(dist, `${name}.gz`), gzipSync(readFileSync(join(dist, name))));
		const get = await startNginx(dist);
		const receiver = await receive(UPDATE_LINE, '--immediate');
		service.webhooks.add({ url: receiver.url, secret: SECRET });
		for (const text of ['Published first.', 'Published second.', 'Published third.']) {
			expect((await get('/products/n7/')).text).not.toContain(text);
			await write('p-7', text);
			const shown = { isCompressed: true, text: expect.stringContaining(text) };
			await expect.poll(() => get('/products/n7/'), { interval: 20 }).toMatchObject(shown);
			await receiver.idle();
		}
		expect((await get('/products/n8/')).isCompressed).toBe(true);
	},
);
