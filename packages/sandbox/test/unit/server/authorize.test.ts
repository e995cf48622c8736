import { expect, it } from 'vitest';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

it.each(['starRating', 'productReviewData'] as const)('%s needs an accepted bearer token', async (name) => {
	const sandbox = await testSandbox({ token: ['first', 'second'], products: [{ pid: 'p', name: 'P' }] });
	const calls = callsTo(sandbox);
	const status = async (authorization: string) =>
		(await calls[name](name === 'starRating' ? ['p'] : 'p', { authorization })).status;
	expect(sandbox.token).toBe('first');
	expect(await status('Bearer first')).toBe(200);
	expect(await status('bearer second')).toBe(200);
	expect(await status('Bearer third')).toBe(401);
	expect(await status('Basic first')).toBe(401);
	expect(await status('')).toBe(401);
});

it('says in JSON that a token is missing', async () => {
	const { url } = await testSandbox();
	const response = await fetch(`${url}/api/v1/getStarRating`, { method: 'POST', body: '{}' });
	expect(response.status).toBe(401);
	expect(response.headers.get('www-authenticate')).toBe('Bearer');
	expect(await response.json()).toEqual({
		success: false,
		status: 401,
		message: 'Send "Authorization: Bearer <ACCESS_TOKEN>".',
	});
});

it('accepts generated tokens', async () => {
	const sandbox = await testSandbox();
	const response = await fetch(`${sandbox.url}/__sandbox/tokens`, { method: 'POST' });
	const { token } = await response.json();
	expect([response.status, token]).toEqual([201, expect.stringMatching(/^sbx_[\w-]{32}$/)]);
	expect((await callsTo({ ...sandbox, token }).starRating([])).status).toBe(200);
});
