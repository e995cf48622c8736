import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { InvalidInputError, type Sandbox, type SandboxOptions } from '../../src/index.js';
import { callsTo, testSandbox } from '../support/test-sandbox.js';

const PID = `a/b "<i>'`;
/** Nobody listens there. */
const WEBHOOK = { url: 'http://127.0.0.1:9/hooks?key=k3y', retries: 0 };

/** A sandbox with a clock that only the test changes. */
async function start(options: SandboxOptions = {}) {
	const clock = { now: Date.UTC(2026, 0, 1) };
	const products = [{ pid: PID, name: '<script>alert(1)</script>', reviews: [{ rating: 4 }] }];
	const sandbox = await testSandbox({ products, webhooks: [WEBHOOK], now: () => clock.now, ...options });
	return { sandbox, clock };
}

/** Sends the form. @returns where its page is, and the path at which that page looks for a note */
async function sendForm({ url }: Sandbox, fields: Record<string, string> = {}) {
	const body = new URLSearchParams({ pid: PID, rating: '5', ...fields });
	const init = { method: 'POST', body, redirect: 'manual' } as const;
	const { status, headers } = await fetch(`${url}/__sandbox/form/reviews`, init);
	const page = new URL(headers.get('location') ?? '', url);
	const query = new URLSearchParams({ pid: PID, at: page.searchParams.get('at') ?? '' });
	return { status, page, note: new URL(`/__sandbox/form/note?${query}`, url) };
}

const textOf = async (url: URL | string) => (await fetch(url)).text();

it('lists products and the hosts of webhooks, escaped, and takes a review without JavaScript', async () => {
	const { sandbox } = await start({ storeName: '<b>Store</b>', wsid: '"><u>' });
	const response = await fetch(sandbox.url);
	expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
	expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
	const page = await response.text();
	expect(page).toContain('&lt;script&gt;alert(1)');
	expect(page).toContain('<code>127.0.0.1:9</code>');
	expect(page).not.toMatch(/<script|<b>Store|<u>|<i>|k3y|whsec_/);

	const sent = await sendForm(sandbox, { rating: '2.5', body: 'one\r\ntwo', author: 'Ada L.' });
	expect(sent.status).toBe(303);
	expect(await textOf(sent.page)).toContain('Published a review of <b>a/b &quot;&lt;i&gt;&#39;</b>');
	const { data } = await (await callsTo(sandbox).productReviewData(PID)).json();
	expect(data).toContainEqual(expect.objectContaining({ rtng: 2.5, rtxt: 'one\ntwo', un: 'Ada L.' }));
	expect((await sendForm(sandbox, { pid: 'zz' })).status).toBe(404);
	expect((await sendForm(sandbox, { rating: 'lots' })).status).toBe(400);
	expect((await sendForm(sandbox, { rating: '' })).status).toBe(400);
});

it('shows the note about a review, escaped, and how long after the click it came', async () => {
	const { sandbox, clock } = await start();
	const { page, note } = await sendForm(sandbox);
	expect((await fetch(note)).status).toBe(204);

	clock.now += 312;
	const url = 'http://localhost:4321/?a="><script>';
	sandbox.notes.add({ pid: PID, text: '<b>2</b> files', items: [{ text: '<i>a', url }, { text: 'b.html' }] });
	for (const shown of [await textOf(page), await textOf(note)]) {
		expect(shown).toContain('<p>&lt;b&gt;2&lt;/b&gt; files, <b>0.31 s</b> after the click:</p>');
		expect(shown).toContain('&quot;&gt;&lt;script&gt;">&lt;i&gt;a</a></li><li>b.html</li></ul>');
		expect(shown).not.toContain('<script');
	}
	expect((await fetch(note)).headers.get('content-type')).toBe('text/html; charset=utf-8');
	expect((await fetch(note, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
});

it('lets only its own script run, and only while a note may come', async () => {
	const { sandbox } = await start();
	const response = await fetch((await sendForm(sandbox)).page);
	const scripts = [...(await response.text()).matchAll(/<script[^>]*>(.*?)<\/script>/gs)];
	expect(scripts).toHaveLength(1);
	const hash = createHash('sha256').update(scripts[0]?.[1] ?? '');
	const policy = `; script-src 'sha256-${hash.digest('base64')}'; connect-src 'self'`;
	expect(response.headers.get('content-security-policy')).toContain(policy);

	const quiet = await start({ webhooks: [] });
	const other = await fetch((await sendForm(quiet.sandbox)).page);
	expect(other.headers.get('content-security-policy')).not.toContain('script-src');
	expect(await other.text()).not.toMatch(/<script|<footer>/);
	// An address without a time, or with something else, has no note to wait for.
	for (const at of ['', '&at=', '&at=x', '&at=Infinity', '&at=%22%3E%3Cscript%3E']) {
		const page = await textOf(new URL(`/?created=${encodeURIComponent(PID)}${at}`, sandbox.url));
		expect(page).toContain('Published a review of');
		expect(page).not.toContain('<script');
	}
});

it('shows a note only to who published before its work began, and refuses an invalid one', async () => {
	const { sandbox, clock } = await start();
	const startedAt = clock.now - 1;
	const { page } = await sendForm(sandbox);
	sandbox.notes.add({ pid: PID, text: 'Of an earlier review', startedAt });
	sandbox.notes.add({ pid: 'another', text: 'Of another product' });
	expect(await textOf(page)).not.toContain('after the click');

	sandbox.notes.add({ pid: PID, text: 'Of this one', startedAt: clock.now });
	sandbox.notes.add({ pid: PID, text: 'Of a later one' });
	expect(await textOf(page)).toContain('Of this one, <b>0.00 s</b> after the click.');
	expect(await textOf(page)).not.toContain('Of a later one');
	const items = [{ text: '', url: 'javascript:alert(1)' }];
	expect(() => sandbox.notes.add({ pid: PID, text: '', items })).toThrow(InvalidInputError);
});
