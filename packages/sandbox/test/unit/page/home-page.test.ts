import { expect, it } from 'vitest';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const PID = `a/b "<i>'`;

it('lists products, escaped, and takes a review without JavaScript', async () => {
	const products = [{ pid: PID, name: '<script>alert(1)</script>', reviews: [{ rating: 4 }] }];
	const sandbox = await testSandbox({ products, storeName: '<b>Store</b>', wsid: '"><u>' });
	const response = await fetch(sandbox.url);
	expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
	expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
	const page = await response.text();
	expect(page).toContain('&lt;script&gt;alert(1)');
	expect(page).not.toMatch(/<script|<b>Store|<u>|<i>/);
	expect(page).toContain('4.00');

	const sent = await fetch(`${sandbox.url}/__sandbox/form/reviews`, {
		method: 'POST',
		body: new URLSearchParams({ pid: PID, rating: '2.5', title: 'T', body: 'one\r\ntwo', author: 'Ada L.' }),
		redirect: 'manual',
	});
	expect(sent.status).toBe(303);
	expect(sent.headers.get('location')).toMatch(/^\/\?created=a%2Fb%20%22%3Ci%3E'&at=\d+$/);
	const after = await (await fetch(sandbox.url + sent.headers.get('location'))).text();
	expect(after).toContain('Published a review of <b>a/b &quot;&lt;i&gt;&#39;</b>');
	const { data } = await (await callsTo(sandbox).productReviewData(PID)).json();
	expect(data[0]).toMatchObject({ rtng: 2.5, rtxt: 'one\ntwo', un: 'Ada L.' });
});

it('refuses a form with an unknown product or a wrong rating', async () => {
	const { url } = await testSandbox({ products: [{ pid: 'p', name: 'P' }] });
	const status = async (fields: Record<string, string>) => {
		const body = new URLSearchParams(fields);
		return (await fetch(`${url}/__sandbox/form/reviews`, { method: 'POST', body })).status;
	};
	expect(await status({ pid: 'zz', rating: '5' })).toBe(404);
	expect(await status({ pid: 'p', rating: 'lots' })).toBe(400);
	expect(await status({ pid: 'p' })).toBe(400);
});
