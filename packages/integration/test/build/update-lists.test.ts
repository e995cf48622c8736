import { expect, onTestFinished, test } from 'vitest';
import { expectSame } from '../support/build/project.js';
import { IN_TEST, productIds, publish, removeReviews, startShop } from '../support/build/service.js';

const PIDS = productIds(4);
const [LISTED = '', , OTHER = '', UNSEEN = ''] = PIDS;

const pagesOf = (files: ReadonlyMap<string, Buffer>) =>
	new Map([...files].filter(([name]) => name.endsWith('.html')));

test('pages of a list are updated, and the one that only a build can add or remove is named until then', async () => {
	const { project: site, service } = await startShop('listed-store', PIDS, {
		...{ ...IN_TEST, atEnd: onTestFinished },
		pages: PIDS.slice(0, 3),
		config: { base: '/läden/' },
	});
	for (const number of [3, 4]) publish(service, LISTED, `Body ${number}`);
	// Nothing of the stylesheets is news to what minifies them.
	expect(await site.build()).not.toMatch(/\[WARN\] \[vite\]/);
	const page = (number: number) => site.read(`reviews/${LISTED}/${number}/index.html`);
	expect(page(1)).toContain('Page 1 of 2');
	expect(page(1)).toContain('application/ld+json');
	expect(page(2)).toContain('rel="prev"');
	expect(page(2)).not.toContain('application/ld+json');

	publish(service, LISTED, 'Body 5');
	const missing = {
		page: `/läden/reviews/${LISTED}/3/`,
		reason: 'the reviews of a product fill a page that the last build did not write',
	};
	for (const _ of ['once', 'and again'])
		expect(await site.updateHere([LISTED])).toMatchObject({ status: 3, rebuild: [missing] });
	expect(page(2)).toContain('Page 2 of 3');
	const anew = pagesOf(await site.buildAnew());
	expect(anew.delete(`reviews/${LISTED}/3/index.html`)).toBe(true);
	expectSame(pagesOf(site.contents()), anew);
	await site.build();
	expect(await site.updateHere([LISTED])).toMatchObject({ status: 0, rebuild: [] });

	removeReviews(service, LISTED);
	const { status, rebuild } = await site.updateHere([LISTED]);
	const reason = 'the reviews of a product no longer fill this page';
	expect({ status, rebuild }).toEqual({
		status: 3,
		rebuild: [2, 3].map((number) => ({ page: `/läden/reviews/${LISTED}/${number}/`, reason })),
	});
	expect(page(1)).toContain('Be the first to review it.');
	expect(page(1)).not.toContain('pr-review-list');
	publish(service, LISTED, 'The first one');
	await site.updateHere([LISTED]);
	expect(page(1)).not.toContain('Be the first to review it.');
	expect(page(1)).toContain('The first one');
});

test('the latest reviews of the shop are updated when they change, and not otherwise', async () => {
	const { project: site, service } = await startShop('listed-store', PIDS, {
		...{ ...IN_TEST, atEnd: onTestFinished },
		pages: [LISTED],
	});
	await site.build();
	const home = () => site.read('index.html');
	const none = site.read('none/index.html');
	for (const text of ['No section yet', 'No list yet']) expect(none).toContain(text);
	expect(none).not.toContain('Before the reviews');
	const publishedOn = (pid: string, day: string, body: string) =>
		publish(service, pid, body, { publishedAt: `2026-${day}T10:00:00Z` });
	expect(home()).toContain('href="/products/p-1/"');
	expect(home().match(/class="pr-review"/g)).toHaveLength(3);

	publishedOn(OTHER, '01-01', 'An old one');
	expect(await site.updateHere([OTHER])).toMatchObject({ status: 0, files: [], unchanged: [OTHER] });

	// Of products that have no page of their own.
	publishedOn(UNSEEN, '11-02', 'The newest');
	publishedOn(OTHER, '11-01', 'The second');
	const { status, files, unchanged } = await site.updateHere([OTHER, UNSEEN]);
	expect({ status, unchanged }).toEqual({ status: 0, unchanged: [] });
	expect(files).toContain('index.html');
	expect(home().indexOf('The newest')).toBeLessThan(home().indexOf('The second'));
	expect(home()).toContain('href="/products/p-4/"');
	expectSame(pagesOf(site.contents()), pagesOf(await site.buildAnew()));

	removeReviews(service, UNSEEN);
	expect(await site.updateHere([UNSEEN])).toMatchObject({ status: 0, files: ['index.html'] });
	expect(home()).not.toContain('The newest');
	expectSame(pagesOf(site.contents()), pagesOf(await site.buildAnew()));

	// Of a product that had no review when the site was built.
	await site.build();
	publishedOn(UNSEEN, '11-03', 'The first of all');
	expect(await site.updateHere([UNSEEN])).toMatchObject({ status: 0, files: ['index.html'] });
	expect(home()).toContain('The first of all');
});

test('reviews of a product that is not in the list are on the pages that name it, and on no other', async () => {
	const { project: site, service } = await startShop('listed-store', [...PIDS, 'p-named'], {
		...{ ...IN_TEST, atEnd: onTestFinished },
		options: { products: PIDS },
		pages: [],
	});
	await site.build();
	publish(service, 'p-named', 'Of a product that is named');
	publish(service, OTHER, 'Of a product of the list');
	const { status, files } = await site.updateHere(['p-named', OTHER]);
	expect({ status, files }).toEqual({ status: 0, files: ['index.html', 'named/index.html'] });
	const named = site.read('named/index.html');
	expect(named).toContain('Of a product that is named');
	expect(named).toContain('href="/kettle/"><bdi>Copper kettle</bdi>');
	expect(named).toContain('href="/products/p-2/"');
	expectSame(pagesOf(site.contents()), pagesOf(await site.buildAnew()));
});

test('without a list of products, the latest reviews say what they need', async () => {
	const { project: site } = await startShop('listed-store', PIDS, {
		...{ ...IN_TEST, atEnd: onTestFinished },
		options: { products: undefined },
		pages: PIDS.slice(0, 1),
	});
	const { status, output } = await site.tryBuild();
	expect(status).toBe(1);
	expect(output).toContain(
		'Set the option "products" of productReviews(), or give their IDs in the prop `products`.',
	);
});
