// Runs Astro with the sandbox, a review service on this machine whose reviews are invented. See the README for your own.
import { mkdirSync } from 'node:fs';
import { build, dev, preview } from 'astro';
import { startSandbox } from 'product-reviews-sandbox';

/** One port for all commands: a built page has the URLs of its photos, which name it. */
const PORT = 4400;

/** Keeps reviews that you write, for the next command. */
const data = '.product-reviews/sandbox.db';

const [, , command] = process.argv;
const sandbox = await start();
process.env.REVIEWS_BASE_URL = sandbox.url;
process.env.REVIEWS_WSID = sandbox.wsid;
process.env.REVIEWS_TOKEN = sandbox.token;

if (command === 'build') {
	try {
		await build({});
	} finally {
		await sandbox.close();
	}
	console.log(`
The reviews of this build are invented: they come from the sandbox. Before you deploy your store:

1. Put REVIEWS_BASE_URL and REVIEWS_WSID of your review service into .env.
2. In package.json, replace "node with-sandbox.mjs" with "astro", and build again.
`);
} else if (command === 'preview') {
	await preview({});
} else {
	// Signs the events that the sandbox sends about new reviews.
	process.env.REVIEWS_WEBHOOK_SECRET = `whsec_${crypto.getRandomValues(Buffer.alloc(32)).toString('base64')}`;
	const { address } = await dev({});
	sandbox.webhooks.add({
		url: `http://localhost:${address.port}/api/reviews/webhook`,
		secret: process.env.REVIEWS_WEBHOOK_SECRET,
	});
	console.log(`Write a review at ${sandbox.url}, and see it appear in the store.`);
}

/** Starts the sandbox, at another port if its own is taken, such as by `npm run dev` in another terminal. */
async function start() {
	mkdirSync('.product-reviews', { recursive: true });
	try {
		return await startSandbox({ data, port: PORT });
	} catch (error) {
		if (error.cause?.code !== 'EADDRINUSE') throw error;
		const publicUrl = command === 'build' ? `http://127.0.0.1:${PORT}` : undefined;
		const other = await startSandbox({ data, publicUrl });
		console.log(`Port ${PORT} is taken, so the sandbox is at ${other.url}. Photos of a build are at port ${PORT}: they load if what
listens there is a sandbox, too. For another port, change PORT in with-sandbox.mjs, and build again.`);
		return other;
	}
}
