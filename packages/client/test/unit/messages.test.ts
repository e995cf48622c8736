import { errorOf } from 'product-reviews-test-support/error-of';
import { expect, test } from 'vitest';
import { sendJson, sendStatus } from '../support/server.js';
import { useSetup } from '../support/setup.js';

const setup = useSetup();

async function messageFor(pid: string, status: number): Promise<string> {
	setup.server.answer((response) => sendStatus(response, status));
	const error = (await errorOf(setup.client().getCrawlerReviews(pid))) as Error;
	return error.message;
}

test('a message says what happened, where, and what to do', async () => {
	expect(await messageFor('p-1', 503)).toBe(
		'[GET /api/llmRvwHTML] product "p-1": 503 Service Unavailable after 5 tries.',
	);
	expect(await messageFor('p-1', 403)).toBe(
		'[GET /api/llmRvwHTML] product "p-1": 403 Forbidden after 1 try. Check the access token and the wsid.',
	);
});

test('a message about several products names three of them', async () => {
	setup.server.answer((response) => sendStatus(response, 403));
	const error = (await errorOf(setup.client().getStarRatings(['a', 'b', 'c', 'd']))) as Error;
	expect(error.message).toContain('[POST /api/v1/getStarRating] 4 products ("a", "b", "c", ...): 403');
});

test('a message about a schema names fields, and repeats no value', async () => {
	setup.server.answer((response) =>
		sendJson(response, { data: [{ pid: 'x', avgrtng: 'a stranger wrote this' }] }),
	);
	const error = (await errorOf(setup.client().getStarRatings(['x']))) as Error;
	expect(error.message).toBe(
		'[POST /api/v1/getStarRating] product "x": the body is not what the service documents ' +
			'(data.0.avgrtng: Invalid input: expected number, received string; ' +
			'data.0.prtng: Invalid input: expected number, received undefined) after 1 try.',
	);
});

test.each([
	['red\u001b[31m\r\nlog line\u0000\u202e', '"red[31mlog line"'],
	['x'.repeat(500), `"${'x'.repeat(79)}…"`],
	['👟'.repeat(100), `"${'👟'.repeat(79)}…"`],
	['\ud800half', '"half"'],
])('a product id is safe in a log line: %j', async (pid, shown) => {
	expect(await messageFor(pid, 403)).toContain(`product ${shown}: 403`);
});
