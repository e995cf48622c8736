// Runs Astro with a review service on this machine. To use your own: put REVIEWS_BASE_URL and REVIEWS_WSID into .env, and
// run `astro dev` and `astro build` without this file.
import { build, dev } from 'astro';
import { startSandbox } from 'product-reviews-sandbox';

const sandbox = await startSandbox();
process.env.REVIEWS_BASE_URL = sandbox.url;
process.env.REVIEWS_WSID = sandbox.wsid;
process.env.REVIEWS_TOKEN = sandbox.token;

if (process.argv[2] === 'build') {
	try {
		await build({});
	} finally {
		await sandbox.close();
	}
} else {
	// Signs the events that the service sends about new reviews.
	process.env.REVIEWS_WEBHOOK_SECRET = `whsec_${crypto.getRandomValues(Buffer.alloc(32)).toString('base64')}`;
	const { address } = await dev({});
	sandbox.webhooks.add({
		url: `http://localhost:${address.port}/api/reviews/webhook`,
		secret: process.env.REVIEWS_WEBHOOK_SECRET,
	});
	console.log(`Write a review at ${sandbox.url}, and see it appear in the store.`);
}
