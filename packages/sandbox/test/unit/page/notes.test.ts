import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { InvalidInputError, type Sandbox, type SandboxOptions } from '../../../src/index.js';
import { testSandbox } from '../../support/test-sandbox.js';

const PID = `a/b "<i>'`;
/** Nobody listens there. */
const WEBHOOK = { url: 'http://127.0.0.1:9/', retries: 0 };

/** A sandbox with a clock that only the test changes. */
async function start(options: SandboxOptions = {}) {
	const clock = { now: Date.UTC(2026, 0, 1) };
	const products = [{ pid: PID, name: 'P' }];
	const sandbox = await testSandbox({ products, webhooks: [WEBHOOK], now: () => clock.now, ...options });
	return { sandbox, clock };
}

/** Sends the form. @returns where its page is, and the path at which that page looks for a note */
async function sendForm({ url }: Sandbox) {
	const body = new URLSearchParams({ pid: PID, rating: '5' });
	const init = { method: 'POST', body, redirect: 'manual' } as const;
	const { headers } = await fetch(`${url}/__sandbox/form/reviews`, init);
	const page = new URL(headers.get('location') ?? '', url);
	const query = new URLSearchParams({ pid: PID, at: page.searchParams.get('at') ?? '' });
	return { page, note: new URL(`/__sandbox/form/note?${query}`, url) };
}

const textOf = async (url: URL) => (await fetch(url)).text();

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
});

it('lets only its own script run, and only while a note may come', async () => {
	const { sandbox } = await start();
	const { page } = await sendForm(sandbox);
	const response = await fetch(page);
	const html = await response.text();
	const scripts = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code ?? '');
	expect(scripts).toHaveLength(1);
	const hash = createHash('sha256')
		.update(scripts[0] ?? '')
		.digest('base64');
	expect(response.headers.get('content-security-policy')).toContain(
		`; script-src 'sha256-${hash}'; connect-src 'self'`,
	);

	const quiet = await start({ webhooks: [] });
	const other = await fetch((await sendForm(quiet.sandbox)).page);
	expect(other.headers.get('content-security-policy')).not.toContain('script-src');
	expect(await other.text()).not.toContain('<script');
	// An address without a time, or with something else, has no note to wait for.
	for (const at of ['', '&at=', '&at=x', '&at=Infinity', '&at=%22%3E%3Cscript%3E']) {
		const page = await textOf(new URL(`/?created=${encodeURIComponent(PID)}${at}`, sandbox.url));
		expect(page).toContain('Published a review of');
		expect(page).not.toContain('<script');
	}
});

it('shows a note only to who published before its work began', async () => {
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
});

it('refuses a note that is invalid, and pages of other machines', async () => {
	const { sandbox } = await start();
	const { note } = await sendForm(sandbox);
	const url = 'javascript:alert(1)';
	expect(() => sandbox.notes.add({ pid: PID, text: '', items: [{ text: '', url }] })).toThrow(
		InvalidInputError,
	);
	expect((await fetch(note, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
});
