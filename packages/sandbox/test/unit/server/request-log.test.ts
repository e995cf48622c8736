import { expect, it } from 'vitest';
import { requestLogLine } from '../../../src/server/request-log.js';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

it('writes one line', () => {
	const request = {
		method: 'GET',
		path: '/api/llmRvwHTML',
		pids: ['p-1'],
		status: 200,
		bytes: 13_240,
		duration: 4.2,
	};
	expect(requestLogLine(request, [])).toBe('GET /api/llmRvwHTML pid=p-1 200 13.2 KB 4 ms');
	const { status: _, ...unanswered } = { ...request, pids: ['a', 'b'], bytes: 0, fault: 'reset' };
	expect(requestLogLine(unanswered, [])).toBe('GET /api/llmRvwHTML pids=2 no answer 0 B 4 ms fault=reset');
});

it('keeps control characters, overrides and long texts out', () => {
	const pid = `a\r\nGET /forged\u001b[2K\u202e${'x'.repeat(300)}`;
	const line = requestLogLine({ method: 'GET', path: '/', pids: [pid], bytes: 0, duration: 0 }, []);
	expect(line).toMatch(/^GET \/ pid=aGET \/forged\[2Kx+… no answer 0 B 0 ms$/);
	expect(line.length).toBeLessThan(170);
});

it('logs each request and never a token', async () => {
	const lines: string[] = [];
	const sandbox = await testSandbox({ token: 's3cret-token', log: (line) => lines.push(line) });
	const { crawlerReviews, starRating } = callsTo(sandbox);
	await (await starRating(['s3cret-token'])).text();
	await (await starRating([], { authorization: 'Bearer guessed-token' })).text();
	await (
		await crawlerReviews('guessed-token', {}, { headers: { authorization: 'Bearer guessed-token' } })
	).text();
	await (await fetch(`${sandbox.url}/s3cret-token?token=s3cret-token`)).text();
	await expect.poll(() => lines.length).toBe(4);
	expect(lines[0]).toMatch(/^POST \/api\/v1\/getStarRating pid=\*\*\* 200 \d+ B \d+ ms$/);
	expect(lines[3]).toMatch(/^GET \/\*\*\* 404 /);
	expect(lines.join('\n')).not.toMatch(/s3cret|guessed/);
});
