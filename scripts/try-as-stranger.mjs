// Adopts the packages as somebody does who never saw them: see stranger/try-as-stranger.mjs. Prints how long each step took.
// Run it after `npm run build`: node scripts/try-as-stranger.mjs [npm | pnpm | yarn]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'product-reviews-sandbox';
import { PACKAGES, pack } from './pack.mjs';
import { MANAGERS } from './stranger/managers.mjs';
import { startTarballRegistry } from './stranger/tarball-registry.mjs';
import { describeSteps, tryAsStranger } from './stranger/try-as-stranger.mjs';

const manager = process.argv[2] ?? 'npm';
if (!Object.hasOwn(MANAGERS, manager)) {
	console.error(`Unknown package manager "${manager}". Known: ${Object.keys(MANAGERS).join(', ')}.`);
	process.exit(1);
}

const cleanups = new AsyncDisposableStack();
try {
	const [packed, folder] = ['packed', 'store'].map((name) => {
		const made = mkdtempSync(join(tmpdir(), `product-reviews-${name}-`));
		cleanups.defer(() => rmSync(made, { recursive: true, force: true }));
		return made;
	});
	const packages = PACKAGES.map(({ directory }) => ({
		manifest: JSON.parse(readFileSync(new URL(`../${directory}/package.json`, import.meta.url), 'utf8')),
		file: pack(directory, packed).file,
	}));
	const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
	const own = await startTarballRegistry(packages, registry);
	cleanups.defer(() => own.close());
	const service = await startSandbox();
	cleanups.defer(() => service.close());
	const { steps, page } = await tryAsStranger({
		folder,
		manager,
		tarballs: Object.fromEntries(packages.map(({ manifest, file }) => [manifest.name, `file:${file}`])),
		registry,
		ownRegistry: manager === 'npm' ? own.url : undefined,
		service,
	});
	const reviews = page.match(/class="review-item"/g)?.length ?? 0;
	console.log([...describeSteps(steps), `The page has ${reviews} reviews.`].join('\n'));
	process.exitCode = reviews > 0 ? 0 : 1;
} finally {
	await cleanups.disposeAsync();
}
