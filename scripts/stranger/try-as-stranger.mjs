import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { MANAGERS } from './managers.mjs';
import { runCommand } from './run-command.mjs';
import { TEMPLATE, withIntegration, withReviews } from './template.mjs';

/**
 * Does what somebody does who never saw this project: an empty folder, Astro's minimal template, the package, five lines, a
 * build. With npm, `astro add` writes two of the lines.
 * @param {object} options
 * @param {string} options.folder an empty one, outside of the repository
 * @param {'npm' | 'pnpm' | 'yarn'} options.manager
 * @param {Record<string, string>} options.tarballs the packages as dependencies, by name
 * @param {string} options.registry of all other packages
 * @param {string} [options.ownRegistry] has the packages as if they were published; npm adds them from it
 * @param {{ url: string, wsid: string }} options.service
 * @returns the built page, and the seconds that each step took
 */
export async function tryAsStranger({ folder, manager, tarballs, registry, ownRegistry, service }) {
	const { manifest, files, command, install } = MANAGERS[manager];
	const steps = [];
	const step = async (name, action) => {
		const start = performance.now();
		await action();
		steps.push({ name, seconds: (performance.now() - start) / 1_000 });
	};
	const write = (path, content) => {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	};
	const edit = (path, change) => write(path, change(readFileSync(join(folder, path), 'utf8')));
	const run = (args, environment) =>
		runCommand([...command, ...args], {
			cwd: folder,
			environment: { YARN_NPM_REGISTRY_SERVER: registry, ...environment },
		});

	await step('Write the minimal template', () => {
		const own = ownRegistry ? {} : { 'astro-product-reviews': tarballs['astro-product-reviews'] };
		write(
			'package.json',
			JSON.stringify({
				name: 'a-store',
				type: 'module',
				private: true,
				scripts: { build: 'astro build', astro: 'astro' },
				dependencies: { astro: '^7.3.5', ...own },
				...(ownRegistry ? {} : manifest(tarballs, folder)),
			}),
		);
		for (const [path, content] of Object.entries({ ...TEMPLATE, ...files })) write(path, content);
	});
	await step(`Install with ${manager}`, () => run(install));
	await step(ownRegistry ? 'Run astro add' : 'Write two lines of configuration', () =>
		ownRegistry
			? run(['exec', '--', 'astro', 'add', 'astro-product-reviews', '--yes'], {
					npm_config_registry: ownRegistry,
				})
			: edit('astro.config.mjs', withIntegration),
	);
	await step('Write three lines on a page', () => {
		edit('src/pages/index.astro', withReviews);
		write('.env', `REVIEWS_BASE_URL=${service.url}\nREVIEWS_WSID=${service.wsid}\n`);
	});
	let log = '';
	await step('Build', async () => {
		log = await run(['run', 'build']);
	});
	return { steps, log, page: readFileSync(join(folder, 'dist/index.html'), 'utf8') };
}

/** The steps as lines, each with its seconds. */
export function describeSteps(steps) {
	const total = { name: 'In total', seconds: steps.reduce((sum, { seconds }) => sum + seconds, 0) };
	return [...steps, total].map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
