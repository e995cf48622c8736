import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { providers } from '../../src/index.js';
import { PERSONAL, startJudgeMe, TOKEN, useJudgeMe } from '../support/build/judgeme.js';
import { createProject, expectSame } from '../support/build/project.js';
import { startStandIn } from '../support/unit/stand-in.js';

const PIDS = ['128', '129', '130'];

/** A shop of WooCommerce whose products have two reviews each. */
async function startShop() {
	const reviews = PIDS.flatMap((pid) =>
		[5, 4].map((rating, index) => ({
			...{ id: Number(pid) * 10 + index, product_id: Number(pid), rating, verified: true },
			date_created_gmt: '2026-03-02T18:05:41',
			reviewer: 'Mira &amp; Jo',
			review: `<p>Boils ${pid}.</p>\n`,
			reviewer_avatar_urls: { 24: 'https://secure.gravatar.com/avatar/canary?s=24' },
		})),
	);
	const of = (pid: string | number) => reviews.filter(({ product_id }) => product_id === Number(pid));
	const service = await startStandIn(({ path, query }) => {
		const wanted = (query.get('include') ?? query.get('product_id') ?? '').split(',');
		if (path.endsWith('/reviews')) return { json: wanted.flatMap(of) };
		const average = (pid: string) => of(pid).reduce((sum, { rating }) => sum + rating, 0) / of(pid).length;
		return {
			json: wanted.map((pid) => ({
				...{ id: Number(pid), average_rating: average(pid).toFixed(2), review_count: of(pid).length },
			})),
		};
	});
	return { ...service, reviews };
}

test('a shop of WooCommerce: pages, a rebuild with one request, and an update after its webhook', async () => {
	const { url, requests, reviews } = await startShop();
	const options = { provider: providers.wooCommerce({ url }), products: PIDS };
	const project = createProject('updated-store', { pages: PIDS, options });
	onTestFinished(project.remove);
	const output = await project.build();
	const page = () => project.read('products/129/index.html');
	expect(page()).toContain('Mira &amp; Jo');
	expect(page()).toContain('Boils 129.');
	expect(page()).toMatch(/"ratingValue":4\.5,"reviewCount":2/);
	expect(requests).toHaveLength(PIDS.length);

	requests.length = 0;
	await project.build();
	expect(requests.map(({ path }) => path)).toEqual(['/wp-json/wc/store/v1/products']);

	const [, , edited] = reviews;
	if (edited) edited.review = '<p>Edited &#8211; still boils.</p>';
	expect(await project.update(['129'])).toMatchObject({ status: 0 });
	expect(page()).toContain('Edited – still boils.');
	expectSame(project.contents(), await project.buildAnew());

	const kept = readFileSync(join(project.root, '.cache/product-reviews/manifest.json'), 'utf8');
	expect(kept).toContain('astro-product-reviews/providers/woocommerce');
	for (const text of [output, kept, ...[...project.contents().values()].map(String)])
		expect(text).not.toMatch(/gravatar|canary/);
});

test('a shop of Judge.me: one pass for many products, none again, and an update after a webhook', async () => {
	const pids = Array.from({ length: 30 }, (_, index) => `${8_000 + index}`);
	const reviews = pids.flatMap((pid, index) => [
		{ id: 2 * index + 1, pid, rating: 5 },
		{ id: 2 * index + 2, pid, rating: 4, body: '<p>Fits &amp; holds.</p>' },
	]);
	const { url, requests } = await startJudgeMe([{ id: 900, pid: '0' }, ...reviews], 10);
	const project = createProject('updated-store', {
		pages: pids,
		environment: { JUDGEME_API_TOKEN: TOKEN },
	});
	onTestFinished(project.remove);
	const options = { ...useJudgeMe(project.root, url), products: pids };
	const output = await project.build({ options });
	const page = (pid = '8029') => project.read(`products/${pid}/index.html`);
	for (const pid of pids) expect(page(pid)).toMatch(/"ratingValue":4\.5,"reviewCount":2/);
	expect(page()).toContain('Fits &amp; holds.');
	const pages = requests.filter(({ query }) => query.has('page') && !query.has('product_id'));
	expect(pages.map(({ query }) => Number(query.get('page')))).toEqual([1, 2, 3, 4, 5, 6, 7]);

	requests.length = 0;
	await project.build({ options });
	expect(requests).toEqual([]);

	const [edited] = reviews.filter(({ pid }) => pid === '8029');
	Object.assign(edited ?? {}, { body: 'Edited since.' });
	expect(await project.update(['8029'])).toMatchObject({ status: 0 });
	expect(page()).toContain('Edited since.');
	expect(requests.map(({ path }) => path)).toEqual(['/products/-1', '/reviews']);

	// A review that is hidden goes, and what the service sends of people is nowhere.
	Object.assign(edited ?? {}, { hidden: true });
	expect(await project.update(['8029'])).toMatchObject({ status: 0 });
	expect(page()).not.toContain('Edited since.');
	expect(page()).toMatch(/"ratingValue":4,"reviewCount":1/);
	const kept = readFileSync(join(project.root, '.cache/product-reviews/manifest.json'), 'utf8');
	for (const text of [output, kept, ...[...project.contents().values()].map(String)])
		expect(text).not.toMatch(PERSONAL);
});
