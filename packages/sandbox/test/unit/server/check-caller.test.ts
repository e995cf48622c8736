import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testSandbox } from '../../support/test-sandbox.js';

/** Sends a request as it is written, and gives the answer. */
function ask(
	port: number,
	host: string,
	more: readonly string[] = [],
	line = 'GET /api/v1/health',
): Promise<string> {
	return new Promise((resolve) => {
		let answer = '';
		const head = [
			`${line} HTTP/1.1`,
			...(host === '' ? [] : [`Host: ${host}`]),
			'Connection: close',
			...more,
		];
		const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
		socket.on('data', (data) => {
			answer += data;
		});
		socket.on('close', () => resolve(answer));
		socket.on('error', () => resolve(answer));
	});
}

const isRefused = (answer: string) => /^HTTP\/1\.1 403 /.test(answer);

test('a name that somebody else made point to this machine is refused, with what to do', async () => {
	const { port } = await testSandbox();
	for (const host of [
		'attacker.example',
		`attacker.example:${port}`,
		'127.0.0.1.attacker.example',
		'192.168.1.5',
		'a b',
		'[',
	]) {
		for (const line of [
			'GET /',
			'GET /api/llmRvwHTML?wsid=W-1001&pid=p-1&ihtml=true',
			'POST /sandbox/products',
			'GET /nowhere',
		]) {
			const answer = await ask(port, host, [], line);
			expect(isRefused(answer), `${host} ${line}: ${answer}`).toBe(true);
			expect(answer).toContain('--public-url');
		}
	}
	for (const host of ['localhost', `127.0.0.1:${port}`, `LocalHost:${port}`, '[::1]:80', '127.8.8.8']) {
		expect(isRefused(await ask(port, host)), host).toBe(false);
	}
});

test('a page of another machine is refused, and one of this machine is not', async () => {
	const { port } = await testSandbox();
	const of = (origin: string) => ask(port, 'localhost', [`Origin: ${origin}`]);
	for (const origin of [
		'https://attacker.example',
		'null',
		'http://localhost.attacker.example',
		'http://192.168.1.5',
		'',
	]) {
		expect(isRefused(await of(origin)), origin).toBe(true);
	}
	for (const origin of ['http://localhost:4321', `http://127.0.0.1:${port}`, 'https://localhost']) {
		expect(isRefused(await of(origin)), origin).toBe(false);
	}
});

test('the address that others reach it at, and the one that it listens on, are its own', async () => {
	const proxied = await testSandbox({ publicUrl: 'https://reviews.shop.example:8443' });
	expect(
		isRefused(
			await ask(proxied.port, 'reviews.shop.example:8443', ['Origin: https://reviews.shop.example:8443']),
		),
	).toBe(false);
	expect(isRefused(await ask(proxied.port, 'shop.example'))).toBe(true);
	const open = await testSandbox({ host: '0.0.0.0' });
	expect(isRefused(await ask(open.port, '192.168.1.5:4400'))).toBe(false);
	expect(isRefused(await ask(open.port, 'attacker.example'))).toBe(true);
});
