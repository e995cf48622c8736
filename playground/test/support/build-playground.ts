import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inTurn } from './in-turn.ts';

/** Folder of the playground, as builds of it take turns by. */
export const PLAYGROUND = fileURLToPath(new URL('../../', import.meta.url));
const ASTRO = join(dirname(createRequire(import.meta.url).resolve('astro/package.json')), 'bin', 'astro.mjs');

/** A built site in a folder of its own. */
export interface Build {
	readonly directory: string;
	/** What the build printed. */
	readonly output: string;
	remove(): Promise<void>;
}

/**
 * Builds the playground against a review service, with an output folder and a cache that no other build shares.
 * @param root folder of another project to build so.
 */
export async function buildPlayground(
	service: { readonly url: string; readonly wsid: string; readonly token: string },
	root = PLAYGROUND,
): Promise<Build> {
	const folder = await mkdtemp(join(tmpdir(), 'playground-'));
	const remove = () => rm(folder, { recursive: true, force: true });
	const directory = join(folder, 'dist');
	const environment = {
		...withoutReviewSettings(process.env),
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
		REVIEWS_TOKEN: service.token,
		PLAYGROUND_CACHE_DIR: join(folder, 'cache'),
		ASTRO_TELEMETRY_DISABLED: '1',
		NO_COLOR: '1',
	};
	try {
		const build = () =>
			promisify(execFile)(process.execPath, [ASTRO, 'build', '--outDir', directory], {
				cwd: root,
				env: environment,
				maxBuffer: 16 * 1024 * 1024,
			});
		const { stdout, stderr } = await inTurn(root, build);
		return { directory, output: stdout + stderr, remove };
	} catch (cause) {
		await remove();
		const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
		throw new Error(`${root} does not build:\n${stdout}${stderr}`, { cause });
	}
}

/** Neither a developer's settings nor those of the test runner belong in the build. */
export function withoutReviewSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const settings = /^(REVIEWS_|VITEST|NODE_ENV$|NODE_OPTIONS$|MODE$|DEV$|PROD$|SSR$|BASE_URL$)/;
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !settings.test(name)));
}
