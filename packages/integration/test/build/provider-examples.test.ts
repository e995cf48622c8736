import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { listenInTest } from 'product-reviews-test-support/listen';
import { needs } from 'product-reviews-test-support/programs';
import { expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { startPostgres } from '../support/service/postgres-server.js';

const EXAMPLE = fileURLToPath(new URL('../../../../examples/providers', import.meta.url));

/** The example with one of its providers. @param variables are in its `.env` */
function createStore(provider: string, variables: Readonly<Record<string, string>> = {}) {
	const project = createProject('../../../../../examples/providers', { environment: { PROVIDER: provider } });
	onTestFinished(project.remove);
	const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
	writeFileSync(join(project.root, '.env'), lines.join(''));
	return { ...project, page: (pid: string) => project.read(`${pid}/index.html`) };
}

test('a file for each product', async () => {
	const { build, page } = createStore('./json-files.mjs');
	await build();
	expect(page('p-1')).toContain('Two minutes for a full kettle.');
	expect(page('p-1')).toContain('"reviewCount":2');
	expect(page('p-2')).not.toContain('class="pr-review-section"');
});

test(
	'a table of PostgreSQL: a build asks for ratings, an update brings a new row onto its page',
	needs('postgres'),
	async () => {
		const url = await startPostgres();
		const client = new pg.Client({ connectionString: url });
		await client.connect();
		onTestFinished(() => client.end());
		await client.query(readFileSync(join(EXAMPLE, 'schema.sql'), 'utf8'));
		const write = (pid: string, rating: number, body: string) =>
			client.query('INSERT INTO reviews (product_id, author, rating, body) VALUES ($1, $2, $3, $4)', [
				pid,
				'Ada',
				rating,
				body,
			]);
		await write('p-1', 5, 'From a row.');
		await write('p-1', 4, 'From another.');
		// Its variable is only in `.env`.
		const { build, page, command } = createStore('./postgres.mjs', { DATABASE_URL: url });
		await build();
		expect(page('p-1')).toContain('From a row.');
		expect(page('p-1')).toContain('"ratingValue":4.5,"reviewCount":2');
		await write('p-2', 3, 'The first of its product.');
		const updated = await command(['update', 'p-2']);
		expect([updated.status, updated.printed], updated.errors).toEqual([
			0,
			expect.stringContaining('p-2/index.html'),
		]);
		expect(page('p-2')).toContain('The first of its product.');
		await write('p-1', 1, 'Seen by its rating.');
		expect(await build()).toContain('1 fetched, 1 unchanged');
		expect(page('p-1')).toContain('Seen by its rating.');
	},
);

test('an API with pages and a rate limit: each product is whole, and no call begins before the API allows it', async () => {
	const item = (number: number) => ({
		...{
			uuid: `id-${number}`,
			user: { name: 'Ada' },
			stars: 4,
			headline: 'Title',
			text: `Review ${number}.`,
		},
		...{ written_at: '2026-11-20T08:00:00Z', photos: [] },
	});
	let [refused, early] = [0, 0];
	let closedUntil = 0;
	const { url } = await listenInTest(
		createServer((request, response) => {
			const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
			const page = Number(searchParams.get('page'));
			if (request.headers.authorization !== 'Bearer key-of-shop') return response.writeHead(401).end();
			if (pathname === '/products/p-2/reviews')
				return response.writeHead(404).end('{"code":"unknown_product"}');
			if (!pathname.startsWith('/products/')) return response.writeHead(404).end();
			// A call that runs goes on to its next page; no other call begins.
			if (page === 1 && Date.now() < closedUntil) early += 1;
			if (page === 2 && refused < 2) {
				refused += 1;
				closedUntil = Date.now() + 950;
				return response.writeHead(429, { 'retry-after': '1' }).end();
			}
			const items = Array.from({ length: page === 3 ? 20 : 50 }, (_, index) =>
				item((page - 1) * 50 + index + 1),
			);
			return response.end(JSON.stringify({ items, total: 120 }));
		}),
	);
	const { build, page } = createStore('./rest-api.mjs', { SHOP_API_URL: url, SHOP_API_KEY: 'key-of-shop' });
	await build();
	expect([refused, early]).toEqual([2, 0]);
	expect(page('p-1')).toContain('"reviewCount":120');
	expect(page('p-1')).toContain('100 of 120 reviews');
	expect(page('p-1')).toContain('Review 100.');
	expect(page('p-2')).not.toContain('class="pr-review-section"');

	const { default: provider } = await import(join(EXAMPLE, 'rest-api.mjs'));
	const env = (name: string) => (name === 'SHOP_API_URL' ? `${url}/v1` : 'key-of-shop');
	const cause = { status: 404 };
	await expect(provider.reviews('p-1', { env })).rejects.toMatchObject({ message: 'the API refuses', cause });
});
