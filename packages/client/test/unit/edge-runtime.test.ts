import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import type * as Client from '../../src/index.js';
import { ORIGIN, startStub } from '../support/setup.js';

test('the client needs nothing of Node: what the web has is enough', async () => {
	// The target of browsers and workers: an import of Node would end this.
	const { outputFiles } = buildSync({
		entryPoints: [join(import.meta.dirname, '../../src/index.ts')],
		// esbuild takes the working directory for that of the first test.
		absWorkingDir: import.meta.dirname,
		bundle: true,
		write: false,
		platform: 'browser',
		format: 'iife',
		globalName: 'client',
	});
	const { AbortController, AbortSignal, ReadableStream, TextDecoder, URL, btoa, performance } = globalThis;
	const { clearTimeout, setTimeout } = globalThis;
	const { fetch } = startStub();
	const web = { AbortController, AbortSignal, ReadableStream, TextDecoder, URL, btoa, fetch, performance };
	const context = createContext({ ...web, clearTimeout, setTimeout });
	const code = `${outputFiles[0]?.text}; client`;
	const { createReviewsClient } = runInContext(code, context) as typeof Client;
	const client = createReviewsClient({ baseUrl: ORIGIN, wsid: 'W-1', token: 'token' });
	const signal = AbortSignal.timeout(60_000);
	expect(await client.getCrawlerReviews('p-1', { signal })).toMatchObject({ pid: 'p-1' });
	expect((await client.getProductReviewData('p-1', { signal })).reviews).toHaveLength(1);
	expect([...(await client.getStarRatings(['p-1', 'p-2'], { signal })).keys()]).toEqual(['p-1', 'p-2']);
});
