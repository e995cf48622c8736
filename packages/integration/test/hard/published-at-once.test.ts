import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { needs } from 'product-reviews-test-support/programs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { edit } from '../support/build/edit.js';
import { startNginx } from '../support/build/nginx.js';
import { createProject } from '../support/build/project.js';
import { PUBLISH_LINE } from '../support/build/publish.js';
import { startReceiver } from '../support/build/receiver.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(20);
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
/** From the event to the changed answer, in milliseconds: under a second, unless the machine is busy. */
const LONGEST_WAY = 30_000;
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('behind nginx with compressed copies', needs('nginx'), () => {
	test('a review that is published is in the answer', async () => {
		const service = await startService(PIDS);
		cleanups.push(service.close);
		const project = createProject('store');
		cleanups.push(project.remove);
		const run = { service: service.url, options: { products: PIDS, publish: true }, pages: PIDS };
		const { status, output } = await project.build(run);
		expect(status, output).toBe(0);
		const dist = join(project.root, 'dist');
		for (const name of project.files().filter((file) => file.endsWith('.html'))) {
			writeFileSync(join(dist, `${name}.gz`), gzipSync(readFileSync(join(dist, name))));
		}
		const nginx = await startNginx(dist);
		cleanups.push(nginx.close);
		const { environment } = project.buildCommand(run);
		const command = { line: PUBLISH_LINE, environment };
		const receiver = await startReceiver(project, command, { secret: SECRET, when: ['--at-once'] });
		cleanups.push(receiver.close);
		service.webhooks.add({ url: receiver.url, secret: SECRET });

		const times: number[] = [];
		for (let number = 0; number < 5; number++) {
			const text = `Published as number ${number}.`;
			expect((await nginx.get('/products/n7/')).text).not.toContain(text);
			const startedAt = performance.now();
			const review = { rating: 4, author: 'A', title: 'T', body: text, status: 'published' };
			await edit(service, 'POST', 'products/p-7/reviews', review);
			const isThere = async () => {
				const answer = await nginx.get('/products/n7/');
				return answer.isCompressed && answer.text.includes(text);
			};
			const found = await vi.waitUntil(isThere, { timeout: LONGEST_WAY, interval: 10 }).catch(() => false);
			expect(found, receiver.output()).toBe(true);
			times.push(performance.now() - startedAt);
			await receiver.idle();
		}
		console.log(
			`From the edit to the answer: ${times.map((time) => `${(time / 1_000).toFixed(2)} s`).join(', ')}`,
		);
		expect((await nginx.get('/products/n8/')).isCompressed).toBe(true);
	});
});
