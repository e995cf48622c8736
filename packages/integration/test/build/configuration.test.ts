import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';

const UNREACHABLE = 'http://127.0.0.1:9';
let project: BuildProject;

beforeAll(() => {
	project = createProject('store');
});
afterAll(() => project.remove());

test.each<[string, AstroRun, string[]]>([
	[
		'no address of the service',
		{ options: { products: ['p-1'] } },
		['Not set: the address of the review service and the website id of the store.', 'REVIEWS_BASE_URL'],
	],
	[
		'an address with a query in the options',
		{ options: { baseUrl: 'https://reviews.example/?a=1', wsid: 'W-1001', products: ['p-1'] } },
		['the option "baseUrl" of productReviews()', 'query', 'https://reviews.example'],
	],
	[
		'a list that throws',
		{ service: UNREACHABLE, options: { products: 'throws' } },
		['The product list could not be read: the catalogue answered 500', 'the option "products"'],
	],
	[
		'ratings that are to be asked for without a token',
		{ service: UNREACHABLE, options: { products: ['p-1'], revalidate: 'ratings' } },
		['The option "revalidate" is "ratings", but there is no token to request ratings with.'],
	],
])('%s: the build fails and says what to do', async (_name, run, messages) => {
	const { status, output } = await project.build({ pages: ['p-1'], ...run });
	expect(status, output).toBe(1);
	for (const message of messages) expect(output).toContain(message);
});

test('astro sync needs no environment, whatever NODE_ENV is', async () => {
	const environment = { NODE_ENV: 'development' };
	const sync = project.start(['sync'], { options: { products: ['p-1'] }, environment });
	const status = await sync.ended;
	const output = sync.output();
	expect(status, output).toBe(0);
});

test('astro dev does not start with an address that is set and invalid', async () => {
	const { ended, output } = project.start(['dev', '--port', '0'], { service: 'https://reviews.example/api' });
	expect(await ended, output()).toBe(1);
	expect(output()).toContain('REVIEWS_BASE_URL');
	expect(output()).toContain('path');
});
