import { expect, test } from 'vitest';
import { editReviews, markOf, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(12);
const { project, service } = await startShop('store', PIDS, { options: { retries: 0 } });

const asked = () => service.requests.all.flatMap(({ pids }) => pids).toSorted();

/** Runs it to its end. @returns what it says for programs, and the products that it asked the service for */
async function refresh(args: readonly string[], options = {}, input?: string) {
	service.requests.reset();
	const program = project.startCommand(['refresh', '--json', ...args], { options }, input);
	const status = await program.ended;
	const { totals, failed } = JSON.parse(program.printed() || '{}');
	return { status, totals, failed, asked: asked(), errors: program.errors() };
}

test('without a product list it asks for what the store has; where that is nothing, it says what to do', async () => {
	const noList = { products: undefined, cacheDir: '.other' };
	const nothing = await refresh([], noList);
	expect(nothing.status).toBe(1);
	expect(nothing.errors).toContain('the cache has no products, and the option "products" is not set');
	await refresh(['-'], noList, 'p-1\np-2\n');
	expect(await refresh(['--all'], noList)).toMatchObject({ status: 0, asked: ['p-1', 'p-2'] });
});

test('fills an empty store, asks for what is named however fresh it is, and the build after it asks for nothing', async () => {
	const filled = await refresh([]);
	expect(filled.status, filled.errors).toBe(0);
	expect(filled.totals).toMatchObject({ products: 12, fetched: 12, failed: 0 });
	expect(filled.asked).toEqual(PIDS.toSorted());
	expect(await refresh([])).toMatchObject({ status: 0, asked: [], totals: { unchanged: 12 } });
	editReviews(service, 'p-3', 'A text that was not there before.');
	expect(await refresh(['p-3'])).toMatchObject({ status: 0, asked: ['p-3'], totals: { fetched: 1 } });

	// A product for which the service fails keeps what is stored, and is named.
	service.faults.add({ kind: 'status', status: 500, pid: 'p-6', operation: 'crawlerReviews' });
	const failed = await refresh(['--all']);
	expect(failed).toMatchObject({ status: 1, asked: PIDS.toSorted(), totals: { stale: 1, failed: 0 } });
	expect(failed.failed).toMatchObject([{ pid: 'p-6' }]);
	expect(failed.errors).toContain('p-6');

	service.requests.reset();
	await project.build();
	expect(asked()).toEqual([]);
	for (const [index, text] of [
		[3, 'A text that was not there before.'],
		[6, markOf(5)],
	])
		expect(project.read(`products/n${index}/index.html`)).toContain(text);
});
