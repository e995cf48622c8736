import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { createFilledStore } from '../../support/unit/filled-store.js';

/** Node loads it into the thread as well, which then names every module that it loads. */
const NAME_MODULES = `data:text/javascript,${encodeURIComponent(`
	import { writeSync } from 'node:fs';
	import { registerHooks } from 'node:module';
	import { isMainThread } from 'node:worker_threads';
	if (!isMainThread) registerHooks({ load(url, context, next) { writeSync(1, url + '\\n'); return next(url, context); } });
`)}`;

const THREAD = new URL('../../../dist/service/start-service-thread.js', import.meta.url).href;

/** Modules of the thread when it has written blocks, and those that it loads to fetch a product. */
async function modulesOfThread() {
	const task = {
		recipes: [],
		settings: { display: 'visible', labels: {} },
		storeFile: createFilledStore(['p-1']).file,
		account: 'account',
	};
	const script = `
		import { writeSync } from 'node:fs';
		import { startServiceThread } from ${JSON.stringify(THREAD)};
		const options = { baseUrl: 'http://127.0.0.1:9', wsid: 'W-1001', retries: 0, timeout: 1000 };
		const service = startServiceThread(options, { concurrency: 1, onRequest() {} });
		// The thread keeps no process alive by itself.
		const alive = setInterval(() => {}, 60_000);
		service.beginBlocks(${JSON.stringify(task)});
		if ((await service.writeBlocks(['p-1'])).size !== 1) throw new Error('No blocks were written.');
		writeSync(1, 'fetch\\n');
		await service.fetch('reviews', 'p-1').catch(() => {});
		await service.close();
		clearInterval(alive);
	`;
	const file = join(createFolder(), 'main.mjs');
	writeFileSync(file, script);
	const { stdout } = await promisify(execFile)(process.execPath, ['--import', NAME_MODULES, file]);
	const [written = '', fetched = ''] = stdout.split('fetch\n');
	return { written, fetched };
}

test('a thread that only writes blocks loads nothing of what asks the service and reads its answers', async () => {
	const { written, fetched } = await modulesOfThread();
	const asking = /\/zod\/|\/parse5\/|\/client\/dist\/|fetch-whole|read-payload/g;
	expect(written).toContain('/ahead/block-writer.js');
	expect(written.match(asking)).toBeNull();
	expect(new Set(fetched.match(asking)).size).toBe(5);
});
