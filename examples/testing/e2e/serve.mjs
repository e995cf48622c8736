// Builds the store with the reviews of a sandbox, and serves it.
import { build, preview } from 'astro';
import { startSandbox } from 'product-reviews-sandbox';

const sandbox = await startSandbox({ port: 4400 });
Object.assign(process.env, {
	REVIEWS_BASE_URL: sandbox.url,
	REVIEWS_WSID: sandbox.wsid,
	REVIEWS_TOKEN: sandbox.token,
});
await build({});
await preview({ server: { port: 4321 } });
