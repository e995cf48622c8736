import { expect, it } from 'vitest';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const PATH = '/api/v1/getStarRating';

it('leaves unknown ids out and answers each id once, in the order asked for', async () => {
	const sandbox = await testSandbox({ products: ['a', 'b', 'c'].map((pid) => ({ pid, name: pid })) });
	const { data } = await (await callsTo(sandbox).starRating(['c', 'nobody', 'a', 'c'])).json();
	expect(data).toEqual([
		{ pid: 'c', avgrtng: 0, prtng: 0, html: '', isReqSyncWoo: false, queCount: 0 },
		{ pid: 'a', avgrtng: 0, prtng: 0, html: '', isReqSyncWoo: false, queCount: 0 },
	]);
});

it('answers an empty list with an empty list', async () => {
	const response = await callsTo(await testSandbox()).starRating([]);
	expect([response.status, await response.json()]).toEqual([200, { success: true, data: [] }]);
});

it('takes 100 ids, and refuses 101 with 413', async () => {
	const { starRating } = callsTo(await testSandbox());
	const ids = Array.from({ length: 101 }, (_, index) => String(index));
	expect((await starRating(ids.slice(1))).status).toBe(200);
	const refused = await starRating(ids);
	expect([refused.status, await refused.json()]).toEqual([
		413,
		{ success: false, status: 413, message: 'listProductId has 101 ids; the maximum is 100.' },
	]);
});

it.each([
	['no list', {}, 400],
	['a text for a list', { listProductId: 'p-1' }, 400],
	['numbers for ids', { listProductId: [1] }, 400],
	['an array', [], 400],
	['no JSON', '{"listProductId":', 400],
	['nothing', '', 400],
	['more than 1 MB', JSON.stringify({ listProductId: ['x'.repeat(1_100_000)] }), 413],
])('refuses %s', async (_, body, status) => {
	const response = await callsTo(await testSandbox()).post(PATH, body);
	expect(response.status).toBe(status);
	expect(await response.json()).toMatchObject({ success: false, status, message: expect.any(String) });
});

it('refuses another content type and other methods', async () => {
	const sandbox = await testSandbox();
	const form = await callsTo(sandbox).post(PATH, '{"listProductId":[]}', { 'content-type': 'text/plain' });
	expect(form.status).toBe(415);
	const get = await fetch(sandbox.url + PATH);
	expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
});
