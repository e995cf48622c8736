import { afterEach, expect, test } from 'vitest';
import { createPublishedSite, expectSame } from '../support/build/published-site.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(3);
const [KEEPS, GAINS, LOSES] = PIDS as [string, string, string];
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('pages that change what components write are left to a build, and are otherwise as they were', async () => {
	const service = await startService(PIDS);
	for (const { id } of service.store.listReviews({ pid: GAINS })) service.store.deleteReview(id);
	const site = createPublishedSite('reshaped-pages', service, PIDS);
	cleanups.push(service.close, site.project.remove);
	await site.build();
	const before = site.files();
	expectSame(before, await site.buildAnew());
	for (const [name, contents] of before) expect(contents.toString(), name).not.toMatch(/<!--[0-9a-f]{32}/);

	const text = {
		title: 'A "new" one',
		body: "Größe & more: http://shop.example <b>\n\n it's  so",
		author: 'Zoë',
	};
	service.store.createReview(KEEPS, { rating: 1, ...text, images: ['/a.jpg'] });
	service.store.createReview(GAINS, { rating: 2, ...text });
	for (const { id } of service.store.listReviews({ pid: LOSES })) service.store.deleteReview(id);
	const published = await site.publishJson(PIDS);
	const after = site.files();
	const anew = await site.buildAnew();
	const others = [...anew.keys()].filter((name) => !after.get(name)?.equals(anew.get(name) as Buffer));
	const toBuild = published.rebuild.map(({ page }) => page);
	expect(others.filter((name) => !toBuild.includes(pageOf(name)))).toEqual([]);
	for (const page of toBuild) expect(after.get(fileOf(page ?? ''))).toEqual(before.get(fileOf(page ?? '')));
	expect(published.status).toBe(3);
	// Where nothing is done to it, everything but sections that come and go, and own markup, is published.
	const whyNot = (shape: string) =>
		PIDS.map((pid) => published.rebuild.find(({ page }) => page === `/${shape}/${pid}/`)?.reason);
	for (const shape of ['unaltered', 'twice'])
		expect(whyNot(shape)).toEqual([undefined, undefined, undefined]);
	expect(whyNot('section')).toEqual([undefined, SECTION, SECTION]);
	for (const shape of ['reviews', 'list', 'rating']) expect(whyNot(shape), shape).toEqual([OWN, OWN, OWN]);
	for (const shape of ['as-json', 'counted', 'if-any', 'lazy-images', 'without-comments'])
		expect(whyNot(shape)).toEqual([CHANGED, CHANGED, CHANGED]);

	const { line, environment } = site.buildCommand();
	const { status, errors } = await site.publish([...PIDS, '--else', line], environment);
	expect(status, errors).toBe(0);
	expectSame(site.files(), anew);
	expect((await site.publishJson(PIDS)).rebuild).toEqual([]);
});

const OWN = 'its own markup uses reviews that changed';
const CHANGED = 'it changes what components write, so their html cannot be found in it';
const SECTION = 'a <ReviewSection> with slots appears or disappears';

/** The address of a file. */
const pageOf = (name: string) => `/${name.replace(/index\.html$/, '')}`;
const fileOf = (page: string) => page.slice(1).replace(/(?:^|\/)$/, '$&index.html');
