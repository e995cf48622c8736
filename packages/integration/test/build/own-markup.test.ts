import type { Sandbox } from 'product-reviews-sandbox';
import { startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';

let project: BuildProject;
let service: Sandbox;
let page: string;

beforeAll(async () => {
	project = createProject('own-markup');
	service = await startSandbox();
	const { output } = await project.build({
		service: service.url,
		options: { products: ['p-1'] },
		environment: { REVIEWS_TOKEN: service.token },
	});
	expect(output).toContain('Complete!');
	page = project.read('index.html');
});

afterAll(async () => {
	project.remove();
	await service.close();
});

test('virtual:product-reviews gives the records of a product', () => {
	expect(page).toMatch(/<p id="average">4\.\d\d<\/p>/);
	expect(page).toMatch(/<ul id="authors">(<li>[^<]+<\/li>){20,}<\/ul>/);
	expect(page).toMatch(/<p id="five">\d+<\/p>/);
});

test('classes and other attributes go to the root element', () => {
	const root = /<details[^>]*>/.exec(page)?.[0];
	expect(root).toContain(' class="product-reviews mine"');
	expect(root).toContain(' id="reviews"');
	expect(root).toContain(' data-display="details"');
});

test('no client JavaScript, and one request a product and operation', () => {
	expect(project.files().filter((path) => /\.m?js$/.test(path))).toEqual([]);
	expect(page).not.toContain('<script');
	expect(service.requests.count({ operation: 'crawlerReviews' })).toBe(1);
	expect(service.requests.count({ operation: 'productReviewData' })).toBe(1);
});

test('the types of the virtual module reach the project: astro check finds nothing', async () => {
	const { status, output } = await project.check();
	expect(output).toContain('0 errors');
	expect(status).toBe(0);
});
