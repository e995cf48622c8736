import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../support/build/receiver.js';
import { productIds, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(24);

test('a review that is published is on its page by itself; edits meanwhile, twice and in disorder, are one more rebuild', async () => {
	const { project, service } = await startShop('store', PIDS, { environment: TOKEN, atEnd: onTestFinished });
	await project.build();
	service.requests.reset();
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
	const write = (pid: string, body: string, status: string) =>
		edit('POST', `products/${pid}/reviews`, { rating: 1, author: 'New', title: 'New', body, status });
	const contents = () => new Map(project.files().map((path) => [path, project.read(path)]));
	const before = contents();
	const command = project.buildCommand();
	const line = `${command.line} && until [ -e released ]; do sleep 0.1; done`;
	const receiver = await startReceiver(project, { ...command, line }, ['--debounce', '1s']);
	onTestFinished(receiver.close);
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
		const written = await write(pid, 'First text.', 'published');
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
