import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { SECRET, send } from 'product-reviews-test-support/signing';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { editReviews, markOf, startService, TOKEN } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const WORKSPACE = fileURLToPath(new URL('../../../..', import.meta.url));
const PAGE = readFileSync(join(WORKSPACE, 'docs/src/content/docs/deploy/your-server.mdx'), 'utf8');

/** The blocks of the page in their order: what follows the three ticks, and the text without its indent. */
const BLOCKS = [...PAGE.matchAll(/^( *)```(.+)\n([\s\S]*?)^ *```$/gm)].map(
	([, indent = '', head = '', text = '']) => ({
		head,
		text: text.replaceAll(RegExp(`^${indent}`, 'gm'), ''),
	}),
);

/** The machine of the guide, as far as its paths go. */
const { folder: machine, remove } = createLastingFolder('server');
const shop = join(machine, 'srv/shop');
const bin = join(machine, 'bin');
const service = await startService(['p-1']);

afterAll(async () => {
	await service.close();
	remove();
});

/** A block of the page with the paths of the machine. @throws Error if the page has none that begins so and contains this */
function blockOf(head: string, part = ''): string {
	const found = BLOCKS.find((block) => block.head.startsWith(head) && block.text.includes(part));
	if (!found) throw new Error(`The page has no block \`\`\`${head} with ${part}.`);
	return found.text.replaceAll(/(?<![\w.])\/(?=(?:etc|srv|var\/lib)\/)/g, `${machine}/`);
}

function write(path: string, text: string, mode = 0o644): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text, { mode });
}

const environment = {
	...cleanEnvironment(),
	PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
};

const runBlock = (text: string) =>
	promisify(execFile)('sh', ['-ec', text], { cwd: machine, env: environment }).then(({ stdout }) => stdout);

/** A checkout of a store. Its packages come from the workspace: `npm ci` deletes and links them, and all else is npm's own. */
function createShop(): void {
	const npm = `#!/bin/sh
if [ "$1" != ci ]; then PATH=\${PATH#*:} exec npm "$@"; fi
rm -rf node_modules && mkdir node_modules
ln -s ${WORKSPACE}node_modules/* node_modules/
mkdir node_modules/.bin
ln -sf ${WORKSPACE}node_modules/.bin/* ${bin}/product-reviews-webhook node_modules/.bin/
`;
	// The workspace does not link what is built only later.
	const receiver = `#!/bin/sh\nexec node ${WORKSPACE}packages/webhook/dist/cli.js "$@"\n`;
	write(join(bin, 'product-reviews-webhook'), receiver, 0o755);
	write(join(bin, 'npm'), npm, 0o755);
	symlinkSync(process.execPath, join(bin, 'node'));
	write(
		join(shop, 'package.json'),
		'{ "name": "shop", "type": "module", "scripts": { "build": "astro build" } }',
	);
	configure('productReviews()');
	write(
		join(shop, 'src/pages/index.astro'),
		`---
import { ProductReviews } from 'astro-product-reviews/components';
---
<html lang="en"><head><title>Kettle</title></head><body><ProductReviews pid="p-1" /></body></html>
`,
	);
}

function configure(integration: string): void {
	write(
		join(shop, 'astro.config.mjs'),
		`import productReviews from 'astro-product-reviews';
export default { integrations: [${integration}] };
`,
	);
}

/** Starts a command line of the page until the test ends, on a free port. @returns the address of its events */
async function receive(line: string) {
	const receiver = spawn('sh', ['-c', `set -a; . ${machine}/etc/shop/reviews.env; exec ${line} --port 0`], {
		cwd: shop,
		env: environment,
		// Its own group, because npx starts a program of its own.
		detached: true,
	});
	const { pid } = receiver;
	const ended = new Promise((resolve) => receiver.once('close', resolve));
	onTestFinished(async () => {
		if (pid !== undefined && receiver.exitCode === null) process.kill(-pid, 'SIGTERM');
		await ended;
	});
	let output = '';
	for (const stream of [receiver.stdout, receiver.stderr])
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
	await expect.poll(() => output, { timeout: 30_000 }).toMatch(/Listening at \S+;/);
	const [, url = ''] = /Listening at (\S+);/.exec(output) ?? [];
	return { url, output: () => output };
}

test('as the guide for a server says, in its order: an event updates the page without a build, also after another deployment', async () => {
	createShop();
	const variables = blockOf('sh title="/etc/shop/reviews.env"')
		.replace('https://reviews.example', service.url)
		.replace('W-1001', service.wsid)
		.replace('REVIEWS_TOKEN=...', `REVIEWS_TOKEN=${TOKEN.REVIEWS_TOKEN}`)
		.replace('whsec_...', SECRET);
	expect(variables).not.toContain('...');
	write(join(machine, 'etc/shop/reviews.env'), variables);
	const deploy = blockOf('sh', 'npm ci');
	const page = join(shop, 'dist/index.html');
	const shown = () => readFileSync(page, 'utf8');

	await runBlock(deploy);
	expect(shown()).toContain(markOf(0));

	configure(blockOf('js title="astro.config.mjs"').trim().replace(/;$/, ''));
	await runBlock(deploy);
	expect(readdirSync(join(shop, '.cache/product-reviews'))).toContain('reviews-v8.db');

	const ways = [
		blockOf('sh', 'npx product-reviews-webhook').trim(),
		(/^ExecStart=\/usr\/bin\/(.*)$/m.exec(blockOf('ini')) ?? [])[1] ?? '',
	];
	mkdirSync(join(machine, 'var/lib/shop'), { recursive: true });
	for (const [index, way] of ways.entries()) {
		await runBlock(deploy);
		// A build empties the folder.
		const witness = join(shop, 'dist/written-since-the-build');
		writeFileSync(witness, '');
		const receiver = await receive(way);
		const body = `Published, and received in way ${index}.`;
		editReviews(service, 'p-1', body);
		expect(await send(receiver.url, signedEvent('p-1'))).toBe(202);
		await expect.poll(shown).toContain(body);
		expect(readdirSync(dirname(witness)), receiver.output()).toContain('written-since-the-build');
	}
});
