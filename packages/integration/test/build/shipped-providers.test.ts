import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProject, UPDATE_LINE } from '../support/build/project.js';
import { startReceiver } from '../support/build/receiver.js';
import { TOKEN } from '../support/build/service.js';
import { type ListedReview, PERSONAL, SHOPS, startShop } from '../support/build/shops.js';
import { run } from '../support/cli/command.js';

/** A store with two reviews of each product at a service, built once. */
async function build(name: string, pids: readonly string[]) {
	const shop = SHOPS[name];
	if (!shop) throw new Error(name);
	const reviews: ListedReview[] = pids.flatMap((pid, index) => [
		{ id: 2 * index + 1, pid, rating: 5, body: `Fits & holds ${pid}.` },
		{ id: 2 * index + 2, pid, rating: 4, body: 'Good enough.' },
	]);
	const { url, requests } = await startShop(shop, reviews);
	const project = createProject('every-display', {
		...{ pages: pids, environment: { ...TOKEN, ...shop.environment } },
		options: { provider: './reviews.mjs', products: pids },
	});
	onTestFinished(project.remove);
	writeFileSync(join(project.root, 'reviews.mjs'), shop.module(url));
	const output = await project.build();
	const page = (pid: string) => project.read(`products/n${pids.indexOf(pid) + 1}/index.html`);
	return { shop, reviews, requests, project, output, page };
}

test.each(Object.keys(SHOPS))(
	'%s: pages, a second build, and an edit on its page by a webhook',
	async (name) => {
		const pids = ['128', '129', '130'];
		const { shop, reviews, requests, project, output, page } = await build(name, pids);
		for (const pid of pids) {
			expect(page(pid)).toMatch(/"ratingValue":4\.5,"reviewCount":2/);
			expect(page(pid).includes(`Fits &amp; holds ${pid}.`)).toBe(!shop.hasNoTexts);
		}

		requests.length = 0;
		await project.build();
		expect(requests.map(({ path }) => path)).toEqual(shop.unchanged);

		const [, , edited] = reviews;
		Object.assign(edited ?? {}, { rating: 1, body: 'Edited since.' });
		if (shop.webhook) {
			const { options, headers, body } = shop.webhook('129');
			const command = { line: UPDATE_LINE, environment: { ...process.env, ...shop.environment } };
			const receiver = await startReceiver(project, command, ['--immediate', ...options]);
			try {
				const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
				expect((await fetch(receiver.url, sent)).status).toBe(202);
				await receiver.idle();
			} finally {
				await receiver.close();
			}
		} else await project.build();
		expect(page('129')).toMatch(/"ratingValue":2\.5,"reviewCount":2/);
		expect(page('129').includes('Edited since.')).toBe(!shop.hasNoTexts);

		const kept = readFileSync(join(project.root, '.cache/product-reviews/manifest.json'), 'utf8');
		const { output: cached } = await run(['cache', 'show', '129'], { cwd: project.root });
		expect(cached).toContain('"reviews"');
		for (const text of [output, kept, cached, ...[...project.contents().values()].map(String)])
			expect(text).not.toMatch(PERSONAL);
	},
);

test('many products of Judge.me take one pass over its list', async () => {
	const pids = Array.from({ length: 120 }, (_, index) => `${8_000 + index}`);
	const { requests, page } = await build('judgeme', pids);
	for (const pid of pids) expect(page(pid)).toContain(`Fits &amp; holds ${pid}.`);
	const pages = requests.filter(({ query }) => query.has('page') && !query.has('product_id'));
	expect(pages.map(({ query }) => Number(query.get('page')))).toEqual([1, 2, 3]);
});
