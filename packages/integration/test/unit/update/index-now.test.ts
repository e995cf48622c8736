import { expect, test } from 'vitest';
import { tellIndexNow } from '../../../src/update/index-now.js';

const KEY = 'a1b2c3d4e5f6';
const KEY_FILE = `https://shop.example/${KEY}.txt`;
const PAGES = Array.from({ length: 20_001 }, (_, index) => `https://shop.example/p-${index}/`);

/** Tells a service that answers with these, one after the other. */
async function tell(pages: readonly string[], ...answers: readonly (number | Error)[]) {
	const requests: { url: string; body: { urlList: string[] }; init: RequestInit }[] = [];
	const fetch = async (url: unknown, init: RequestInit = {}) => {
		requests.push({ url: String(url), body: JSON.parse(String(init.body)), init });
		const answer = answers[requests.length - 1] ?? 200;
		if (answer instanceof Error) throw answer;
		return new Response(null, { status: answer });
	};
	const result = await tellIndexNow(pages, { key: KEY, keyLocation: KEY_FILE, fetch: fetch as never });
	return { result, requests };
}

test('a request has the shape of the protocol, and an end', async () => {
	const { result, requests } = await tell(PAGES.slice(0, 2), 202);
	expect(result).toEqual({ told: 2 });
	const [{ url, body, init } = expect.unreachable(), ...others] = requests;
	expect(others).toEqual([]);
	expect(url).toBe('https://api.indexnow.org/indexnow');
	const urlList = PAGES.slice(0, 2);
	expect(body).toEqual({ host: 'shop.example', key: KEY, keyLocation: KEY_FILE, urlList });
	expect(init.method).toBe('POST');
	expect(new Headers(init.headers).get('content-type')).toBe('application/json; charset=utf-8');
	expect(init.signal).toBeInstanceOf(AbortSignal);
});

test('no request has more than 10,000 addresses, each is told once, and the first failure ends it', async () => {
	const { result, requests } = await tell(PAGES);
	expect(result).toEqual({ told: 20_001 });
	expect(requests.map(({ body }) => body.urlList.length)).toEqual([10_000, 10_000, 1]);
	expect(requests.flatMap(({ body }) => body.urlList)).toEqual(PAGES);
	const failed = await tell(PAGES, 200, 429);
	expect(failed.result).toEqual({ told: 10_000, problem: 'it answered 429: too many requests' });
	expect(failed.requests).toHaveLength(2);
});

test.each([
	[400, 'it answered 400: the request is not valid'],
	[403, 'it answered 403: the key is not valid, or its file is not on the site'],
	[307, 'it answered 307'],
	[500, 'it answered 500'],
	[new DOMException('', 'TimeoutError'), 'it did not answer within 10 s'],
	[new TypeError('fetch failed', { cause: new Error('no route') }), 'no route'],
	[new TypeError('Invalid URL'), 'Invalid URL'],
])('a failure is a sentence: %s', async (answer, problem) => {
	expect((await tell(PAGES.slice(0, 1), answer)).result).toEqual({ told: 0, problem });
});
