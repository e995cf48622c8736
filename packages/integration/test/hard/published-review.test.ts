import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { needs } from 'product-reviews-test-support/programs';
import { expect, onTestFinished, test } from 'vitest';
import { edit } from '../support/build/edit.js';
import { startNginx } from '../support/build/nginx.js';
import { startReceiver } from '../support/build/receiver.js';
import { productIds } from '../support/build/service.js';
import { startShop } from '../support/build/shop.js';
import { UPDATE_LINE } from '../support/build/update.js';

/** The last four are in no list of the shop. */
const PIDS = productIds(24);
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** A service, and a shop that is built from it. */
async function createShop(options: Record<string, unknown>, environment: Record<string, string> = {}) {
	const { project, service } = await startShop('store', PIDS, onTestFinished);
	const run = { service: service.url, options: { products: PIDS, ...options }, pages: PIDS, environment };
	const { status, output } = await project.build(run);
	expect(status, output).toBe(0);
	service.requests.reset();
	/** Lets the service tell a receiver, which runs a command. */
	const receive = async (line: string, ...when: string[]) => {
		const command = { ...project.buildCommand(run), line };
		const receiver = await startReceiver(project, command, { secret: SECRET, when });
		onTestFinished(receiver.close);
		return receiver;
	};
	const write = (pid: string, body: string, more = {}) =>
		edit(service, 'POST', `products/${pid}/reviews`, {
			rating: 1,
			author: 'New',
			title: 'New',
			body,
			status: 'published',
			...more,
		});
	return { service, project, receive, write, buildLine: project.buildCommand(run).line };
}

test('a review that is published is on its page by itself; edits meanwhile, twice and in disorder, are one more rebuild', async () => {
	const environment = { REVIEWS_TOKEN: 'sandbox-token' };
	const { service, project, receive, write, buildLine } = await createShop({}, environment);
	const contents = () => new Map(project.files().map((path) => [path, project.read(path)]));
	const before = contents();
	const held = `${buildLine} && until [ -e released ]; do sleep 0.1; done`;
	const receiver = await receive(held, '--debounce', '1s');
	const id = await write('p-22', 'Just published.', { status: 'unpublished' });
	service.webhooks.add({ url: receiver.url, secret: SECRET, duplicates: 2, disorder: { ms: 200 } });
	/** A build takes the old pages away before it writes the new ones. */
	const pageOf = (pid: string) => {
		try {
			return project.read(`products/${pid.replace('p-', 'n')}/index.html`);
		} catch {
			return '';
		}
	};

	await edit(service, 'POST', `reviews/${id}/publish`);
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
		await edit(service, 'PATCH', `reviews/${written}`, { body: `Last text of ${pid}.` });
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

test(
	'behind nginx with compressed copies, published at once, it is in the answer',
	needs('nginx'),
	async () => {
		const { service, project, receive, write } = await createShop({});
		const dist = join(project.root, 'dist');
		for (const name of project.files().filter((file) => file.endsWith('.html')))
			writeFileSync(join(dist, `${name}.gz`), gzipSync(readFileSync(join(dist, name))));
		const nginx = await startNginx(dist);
		onTestFinished(nginx.close);
		const receiver = await receive(UPDATE_LINE, '--immediate');
		service.webhooks.add({ url: receiver.url, secret: SECRET });
		for (const text of ['Published first.', 'Published second.', 'Published third.']) {
			expect((await nginx.get('/products/n7/')).text).not.toContain(text);
			await write('p-7', text);
			await expect
				.poll(() => nginx.get('/products/n7/'), { interval: 20 })
				.toMatchObject({
					isCompressed: true,
					text: expect.stringContaining(text),
				});
			await receiver.idle();
		}
		expect((await nginx.get('/products/n8/')).isCompressed).toBe(true);
	},
);
