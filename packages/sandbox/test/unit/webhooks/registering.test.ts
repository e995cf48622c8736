import { expect, it } from 'vitest';
import { InvalidInputError, NotFoundError, startSandbox } from '../../../src/index.js';
import { testReceiver } from '../../support/test-receiver.js';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const OWN = ['localhost:4321', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '2130706433', '[::1]:80'];
const OTHERS = ['0.0.0.0', '[::]', '10.0.0.1', '127.0.0.1.example', 'localhost.example', 'hooks.localhost'];

it.each([...OWN, ...OTHERS])(
	'takes an address of %s only if it is this machine, or allowed',
	async (host) => {
		const url = `http://${host}/hooks`;
		const isOwn = OWN.includes(host);
		const { webhooks } = await testSandbox();
		const message = /is not this machine\..*allowRemoteWebhooks \(--allow-remote-webhooks\)\.$/;
		if (isOwn) return void webhooks.add({ url });
		expect(() => webhooks.add({ url })).toThrow(message);
		await expect(startSandbox({ seed: false, webhooks: [{ url }] })).rejects.toThrow(InvalidInputError);
		const open = await testSandbox({ allowRemoteWebhooks: true, webhooks: [{ url }] });
		expect(open.webhooks.list()).toMatchObject([{ url }]);
	},
);

it('never follows a redirect', async () => {
	const other = await testReceiver();
	const receiver = await testReceiver(() => ({ status: 307, headers: { location: other.url } }));
	const { store, webhooks } = await testSandbox({ products: [{ pid: 'p', name: 'P' }] });
	webhooks.add({ url: receiver.url, retries: 0 });
	store.createReview('p', { rating: 5 });
	await webhooks.settled();
	expect(webhooks.deliveries).toMatchObject([{ status: 307 }]);
	expect(other.received).toEqual([]);
});

it.each([
	[{ url: 'localhost:4321' }, /^url: /],
	[{ url: 'file:///etc/passwd' }, /^url: /],
	[{ url: 'http://user:word@localhost/' }, /^url: /],
	[{ secret: 'whsec_c2hvcnQ=' }, /^secret: /],
	[{ secret: `whsec_${'?'.repeat(44)}` }, /^secret: /],
	[{ duplicates: -1 }, /^duplicates: /],
	[{ shape: 'xml' }, /^shape: /],
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
	const { send } = callsTo(sandbox);
	const added = await send('POST', 'webhooks', { url: receiver.url, shape: 'pids' });
	expect(added).toMatchObject({ status: 201, body: { url: receiver.url, shape: 'pids' } });
	expect(added.body.secret).toMatch(/^whsec_/);
	const { webhooks } = (await send('GET', 'webhooks')).body;
	expect(webhooks).toMatchObject([{ id: added.body.id, url: receiver.url }]);
	expect(JSON.stringify(webhooks)).not.toContain('whsec_');

	sandbox.store.createReview('p', { rating: 5 });
	await sandbox.webhooks.settled();
	const facts = { event: receiver.received[0]?.id, type: 'review.created', pid: 'p', status: 204 };
	expect((await send('GET', 'webhooks/deliveries')).body.deliveries).toMatchObject([facts]);

	expect((await send('POST', 'webhooks', { url: 'http://10.0.0.1/' })).status).toBe(400);
	expect((await send('DELETE', `webhooks/${added.body.id}`)).status).toBe(204);
	expect((await send('DELETE', `webhooks/${added.body.id}`)).status).toBe(404);
	await send('POST', 'webhooks', { url: receiver.url });
	expect((await send('DELETE', 'webhooks')).status).toBe(204);
	expect((await send('GET', 'webhooks')).body.webhooks).toEqual([]);
});
