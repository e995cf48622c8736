import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { createLastingFolder, type LastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { PACKAGES } from '../../scripts/pack.mjs';
import { startTarballRegistry } from '../../scripts/stranger/tarball-registry.mjs';
import { describeSteps, tryAsStranger } from '../../scripts/stranger/try-as-stranger.mjs';

const REGISTRY = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
const tarballs = inject('tarballs');

const folders: LastingFolder[] = [];
let service: Sandbox;
let registry: Awaited<ReturnType<typeof startTarballRegistry>>;

beforeAll(async () => {
	service = await startSandbox();
	registry = await startTarballRegistry(
		PACKAGES.map(({ directory }) => {
			const file = fileURLToPath(new URL(`../../${directory}/package.json`, import.meta.url));
			const manifest = JSON.parse(readFileSync(file, 'utf8'));
			return { manifest, file: (tarballs[manifest.name] ?? '').replace('file:', '') };
		}),
		REGISTRY,
	);
});

afterAll(async () => {
	registry?.close();
	await service?.close();
	for (const { remove } of folders) remove();
});

/** Yarn installs what npm does, and takes as long. */
const MANAGERS = ['npm', 'pnpm', ...(process.env['TEST_FULL'] === '1' ? (['yarn'] as const) : [])] as const;

test.concurrent.each(MANAGERS)(
	'with %s, an empty folder becomes a page with reviews, in five lines',
	async (manager) => {
		const made = createLastingFolder(`stranger-${manager}`);
		folders.push(made);
		const { folder } = made;
		const { steps, log, page } = await tryAsStranger({
			folder,
			manager,
			tarballs,
			registry: REGISTRY,
			ownRegistry: manager === 'npm' ? registry.url : undefined,
			service,
		});
		console.log([`A stranger with ${manager}:`, ...describeSteps(steps)].join('\n'));

		const config = readFileSync(join(folder, 'astro.config.mjs'), 'utf8');
		expect(config).toContain("import productReviews from 'astro-product-reviews';");
		expect(config).toMatch(/integrations: \[productReviews\(\)\]/);
		// A build whose output is not a terminal leaves a readable log.
		for (const text of ['\u001b', '\r', 'error']) expect(log.toLowerCase()).not.toContain(text);
		expect(page.match(/class="review-item"/g)?.length).toBeGreaterThan(5);
		const [, schema = ''] = /<script type="application\/ld\+json"[^>]*>([^<]+)</.exec(page) ?? [];
		expect(JSON.parse(schema)).toMatchObject({ '@type': 'Product', name: 'Enamel Kettle 1.2 l' });
	},
	400_000,
);
