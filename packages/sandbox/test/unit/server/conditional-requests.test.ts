import { expect, it } from 'vitest';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const START = Date.UTC(2026, 4, 1, 12);
const PRODUCT = { pid: 'p', name: 'P', reviews: [{ rating: 5, body: 'x'.repeat(3_000) }] };

it.each(['crawlerReviews', 'productReviewData'] as const)(
	'%s answers 304 until something changes',
	async (name) => {
		let now = START;
		const sandbox = await testSandbox({ products: [PRODUCT], now: () => now });
		const calls = callsTo(sandbox);
		const ask = (headers: Record<string, string> = {}) =>
			name === 'crawlerReviews'
				? calls.crawlerReviews('p', {}, { headers })
				: calls.productReviewData('p', headers);

		const first = await ask();
		const etag = first.headers.get('etag') ?? '';
		expect(first.headers.get('last-modified')).toBe('Fri, 01 May 2026 12:00:00 GMT');
		expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');

		const second = await ask({ 'if-none-match': `"other", ${etag}` });
		expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag]);

		now += 3_600_000;
		sandbox.store.createReview('p', { rating: 4 });
		const third = await ask({ 'if-none-match': etag });
		expect([third.status, third.headers.get('last-modified')]).toEqual([
			200,
			'Fri, 01 May 2026 13:00:00 GMT',
		]);
	},
);

it('compresses larger bodies where the caller takes gzip', async () => {
	const sandbox = await testSandbox({ products: [PRODUCT, { pid: 'small', name: 'S' }] });
	const { crawlerReviews } = callsTo(sandbox);
	const encoding = async (pid: string, accepted: string) => {
		const response = await crawlerReviews(pid, {}, { headers: { 'accept-encoding': accepted } });
		expect((await response.json()).pid).toBe(pid);
		return response.headers.get('content-encoding');
	};
	expect(await encoding('p', 'br, gzip;q=0.5')).toBe('gzip');
	expect(await encoding('p', 'gzip;q=0, identity')).toBeNull();
	expect(await encoding('small', 'gzip')).toBeNull();
});
