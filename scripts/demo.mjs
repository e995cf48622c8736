// Runs the whole thing on this machine: the review service (the sandbox), and the playground's static pages built from it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startSandbox } from 'product-reviews-sandbox';
import { serve } from '../playground/serve.mjs';

const PLAYGROUND = fileURLToPath(new URL('../playground/', import.meta.url));
const ASTRO = fileURLToPath(new URL('../node_modules/astro/bin/astro.mjs', import.meta.url));
const SHOP_PORT = 4321;
const SANDBOX_PORT = 4400;

const sandbox = await onPort(SANDBOX_PORT, (port) =>
	startSandbox({
		port,
		productUrl: (pid) => `https://fjell-and-form.example/products/${encodeURIComponent(pid)}/`,
	}),
);
if (!(await build())) {
	await sandbox.close();
	process.exit(1);
}
const shop = await onPort(SHOP_PORT, (port) =>
	serve(new URL('../playground/dist/', import.meta.url), { port }),
);

console.log(`
The shop:        ${shop.url}/
One product:     ${shop.url}/products/enamel-kettle/#reviews
Review service:  ${sandbox.url}/

Try this:
  1. Publish a review, on the service's page above or with this line:
     curl -s ${sandbox.url}/__sandbox/products/p-1/reviews -H 'Content-Type: application/json' -d '{"rating":5,"author":"Robin K.","title":"Back again","body":"Still the best kettle that I have had."}'
  2. Press Enter here: the shop is built again.
  3. Reload the product's page: the review is there, also in the page's source.

Ctrl+C ends it.`);

let building = Promise.resolve();
process.stdin.on('data', () => {
	building = building.then(rebuild);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);

async function rebuild() {
	console.log('Building the shop again ...');
	console.log((await build()) ? `Done. Reload ${shop.url}/` : 'The build failed; its log is above.');
}

/** Every build asks for every product again: that is what there is to see here. */
function build() {
	const child = spawn(process.execPath, [ASTRO, 'build'], {
		cwd: PLAYGROUND,
		stdio: ['ignore', 'inherit', 'inherit'],
		env: {
			...process.env,
			ASTRO_TELEMETRY_DISABLED: '1',
			REVIEWS_BASE_URL: sandbox.url,
			REVIEWS_WSID: sandbox.wsid,
			PLAYGROUND_MAX_AGE: '0ms',
		},
	});
	return new Promise((resolve) => child.once('close', (status) => resolve(status === 0)));
}

/** The usual port, or any free one where somebody else has it. */
async function onPort(port, start) {
	try {
		return await start(port);
	} catch {
		return await start(0);
	}
}

async function end() {
	process.stdin.destroy();
	await Promise.allSettled([shop.close(), sandbox.close()]);
	process.exit(0);
}
