import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf, startService } from '../support/build/service.js';

const PIDS = [
	'gid://shop/Product/42',
	'with a space',
	'100%',
	'%2e%2e%2f',
	'"double" and \'single\'',
	'<b>&amp;</b>',
	'🪑-chair',
	'x'.repeat(500),
	'Case',
	'case',
	'../../etc/passwd',
	'a?b=c&d#e',
	'مصباح',
	'__proto__',
	'$&',
];
let project: BuildProject;
let service: Sandbox;

beforeAll(async () => {
	project = createProject('store');
	service = await startService(PIDS);
});

afterAll(async () => {
	project.remove();
	await service.close();
});

test('product ids of every kind get their own reviews, in the first build and from the store', async () => {
	const run = { service: service.url, options: { products: PIDS }, pages: PIDS };
	for (const requests of [PIDS.length, 0]) {
		service.requests.reset();
		const { status, output } = await project.build(run);
		expect(output).toContain('Complete!');
		expect(status).toBe(0);
		expect(service.requests.count()).toBe(requests);
		for (const [index] of PIDS.entries()) {
			const marks = project.read(`products/n${index + 1}/index.html`).match(/Mark \d+ of this product\./g);
			expect(new Set(marks)).toEqual(new Set([markOf(index)]));
		}
	}
});

test('numbers as ids, in the list and on the page, are the products of these digits', async () => {
	const numbers = createProject('store');
	const digits = ['42', '7000000000001'];
	const shop = await startService(digits);
	try {
		const pids = digits.map(Number);
		const run = { service: shop.url, options: { products: pids }, pages: pids };
		const { status, output } = await numbers.build(run);
		expect(status).toBe(0);
		expect(output).not.toContain('WARN');
		expect(shop.requests.count()).toBe(2);
		for (const [index] of pids.entries()) {
			expect(numbers.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
		}
	} finally {
		numbers.remove();
		await shop.close();
	}
});
