import { expect, it } from 'vitest';
import { greeting } from '../../../src/command/greeting.js';
import { readCommand } from '../../../src/command/read-command.js';
import { InvalidInputError, NotFoundError, startSandbox } from '../../../src/index.js';
import { isLoopback } from '../../../src/webhooks/is-loopback.js';
import { testReceiver } from '../../support/test-receiver.js';
import { testSandbox } from '../../support/test-sandbox.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

it.each([
	['http://localhost:4321/hooks', true],
	['https://LOCALHOST/hooks', true],
	['http://127.0.0.1/', true],
	['http://127.9.8.7/', true],
	['http://2130706433/', true],
	['http://[::1]:80/', true],
	['http://0.0.0.0/', false],
	['http://[::]/', false],
	['http://10.0.0.1/', false],
	['http://127.0.0.1.example/', false],
	['http://localhost.example/', false],
	['http://hooks.localhost/', false],
	['http://169.254.169.254/', false],
])('takes %s for this machine: %s', (url, expected) => {
	expect(isLoopback(url)).toBe(expected);
});

it('refuses addresses of other machines unless they are allowed', async () => {
	const url = 'https://hooks.example/key';
	const { webhooks } = await testSandbox();
	expect(() => webhooks.add({ url })).toThrow(
		/^url: "hooks\.example" is not this machine\..*allowRemoteWebhooks \(--allow-remote-webhooks\)\.$/,
	);
	await expect(startSandbox({ seed: false, webhooks: [{ url }] })).rejects.toThrow(InvalidInputError);
	const open = await testSandbox({ allowRemoteWebhooks: true, webhooks: [{ url }] });
	expect(open.webhooks.list()).toMatchObject([{ url }]);
});

it('never follows a redirect', async () => {
	const other = await testReceiver();
	const receiver = await testReceiver(() => ({ status: 307, headers: { location: other.url } }));
	const { store, webhooks } = await testSandbox({
		products: [{ pid: 'p', name: 'P' }],
		webhooks: [{ url: receiver.url, retries: 0 }],
	});
	store.createReview('p', { rating: 5 });
	await webhooks.settled();
	expect(webhooks.deliveries).toMatchObject([{ status: 307 }]);
	expect(other.received).toEqual([]);
});

it.each([
	[{ url: 'localhost:4321' }, /^url: /],
	[{ url: 'file:///etc/passwd' }, /^url: /],
	[{ url: 'http://user:word@localhost/' }, /^url: /],
	[{ secret: 'secret' }, /^secret: /],
	[{ secret: 'whsec_c2hvcnQ=' }, /^secret: /],
	[{ secret: `whsec_${'?'.repeat(44)}` }, /^secret: /],
	[{ duplicates: -1 }, /^duplicates: /],
	[{ disorder: { events: 1 } }, /^disorder\.events: /],
	[{ shape: 'xml' }, /^shape: /],
	[{ badSignatures: 2 }, /^badSignatures: /],
	[{ retryDelays: [-1] }, /^retryDelays\.0: /],
	[{ retrys: 1 }, /retrys/],
])('refuses %j with a clear message', async (changes, message) => {
	const { webhooks } = await testSandbox();
	expect(() => webhooks.add({ url: 'http://localhost/', ...changes } as never)).toThrow(message);
});

it('registers an address once', async () => {
	const { webhooks } = await testSandbox({ webhooks: [{ url: 'http://LOCALHOST:80/a' }] });
	expect(() => webhooks.add({ url: 'http://localhost/a' })).toThrow('already registered');
	webhooks.remove(webhooks.list()[0]?.id ?? '');
	expect(webhooks.add({ url: 'http://localhost/a', secret: SECRET }).secret).toBe(SECRET);
	expect(() => webhooks.remove('zz')).toThrow(NotFoundError);
});

it('registers, lists and ends over HTTP; only the answer to registering has the secret', async () => {
	const receiver = await testReceiver();
	const sandbox = await testSandbox({ products: [{ pid: 'p', name: 'P' }] });
	const call = async (method: string, path = '', body?: object) => {
		const response = await fetch(`${sandbox.url}/__sandbox/webhooks${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			...(body ? { body: JSON.stringify(body) } : {}),
		});
		const text = await response.text();
		return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
	};
	const added = await call('POST', '', { url: receiver.url, shape: 'pids' });
	expect(added).toMatchObject({ status: 201, body: { url: receiver.url, shape: 'pids' } });
	expect(added.body.secret).toMatch(/^whsec_/);
	const listed = await call('GET');
	expect(listed.body.webhooks).toMatchObject([{ id: added.body.id, url: receiver.url }]);
	expect(listed.text).not.toContain('whsec_');

	sandbox.store.createReview('p', { rating: 5 });
	await sandbox.webhooks.settled();
	const [event] = receiver.received;
	const { deliveries } = (await call('GET', '/deliveries')).body;
	expect(deliveries).toMatchObject([
		{ event: event?.id, type: 'review.created', pid: 'p', url: receiver.url, attempt: 1, status: 204 },
	]);

	expect((await call('POST', '', { url: 'http://10.0.0.1/' })).status).toBe(400);
	expect((await call('DELETE', `/${added.body.id}`)).status).toBe(204);
	expect((await call('DELETE', `/${added.body.id}`)).status).toBe(404);
	await call('POST', '', { url: receiver.url });
	expect((await call('DELETE')).status).toBe(204);
	expect((await call('GET')).body.webhooks).toEqual([]);
});

it('takes addresses from the command line and prints their secrets', async () => {
	const one = ['--webhook', 'http://localhost:1/a', '--webhook-secret', SECRET];
	const options = readCommand([...one, '--webhook', 'http://localhost:1/b', '--allow-remote-webhooks']);
	expect(options).toMatchObject({
		webhooks: [
			{ url: 'http://localhost:1/a', secret: SECRET },
			{ url: 'http://localhost:1/b', secret: SECRET },
		],
		allowRemoteWebhooks: true,
	});
	expect(() => readCommand(['--webhook-secret', SECRET])).toThrow('--webhook-secret needs');
	const sandbox = await testSandbox({ webhooks: [{ url: 'http://localhost:1/a' }] });
	const text = greeting(sandbox);
	expect(text).toContain('http://localhost:1/a');
	expect(text).toContain(sandbox.webhooks.list()[0]?.secret);
});

it('shows the hosts of addresses on the page, and nothing where there are none', async () => {
	const { url, webhooks } = await testSandbox();
	const page = async () => (await fetch(url)).text();
	expect(await page()).not.toContain('<footer>');
	webhooks.add({ url: 'http://localhost:4321/hooks?key=k3y' });
	expect(await page()).toContain('<code>localhost:4321</code>');
	expect(await page()).not.toMatch(/k3y|whsec_/);
});
