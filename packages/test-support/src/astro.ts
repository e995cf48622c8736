import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NodeProgram, runNode } from './node-program.ts';

export type Astro = ReturnType<typeof astroIn>;

export interface AstroProject {
	readonly root: string;
	readonly environment?: Readonly<NodeJS.ProcessEnv>;
}

export function astroIn(folder: string) {
	const root = join(folder, 'node_modules/astro');
	const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	return { major: Number.parseInt(version, 10), root, file: join(root, bin.astro) };
}

const NOT_INHERITED =
	/^(?:REVIEWS_|VITEST|(?:NODE_ENV|NODE_OPTIONS|MODE|DEV|PROD|SSR|BASE_URL|TEST|FORCE_COLOR)$)/;

/**
 * Threads that help to collect garbage cost more than they bring to so short a program beside other tests. Those that compile
 * may keep a process from ending, which on a busy machine happens once in a hundred builds that fail: `process.exit()` waits
 * for such a thread, which waits for a collection (https://github.com/nodejs/node/issues/54918).
 */
export const CHEAPER = [
	'--single-threaded-gc',
	'--no-concurrent-sparkplug',
	'--no-concurrent-recompilation',
	'--min-semi-space-size=16',
	'--max-semi-space-size=32',
];

/** Returns the environment of a merchant's terminal. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
	return { ...Object.fromEntries(inherited), NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1' };
}

export function startAstro({ file }: Astro, command: readonly string[], project: AstroProject): NodeProgram {
	const env = { ...cleanEnvironment(), ...project.environment };
	return runNode([...CHEAPER, file, ...command], { cwd: project.root, env });
}

export type AstroResult = Awaited<ReturnType<typeof runAstro>>;

export async function runAstro(...options: Parameters<typeof startAstro>) {
	const { ended, output } = startAstro(...options);
	const status = await ended;
	return { status: typeof status === 'number' ? status : null, output: output() };
}

export type DevServer = Awaited<ReturnType<typeof startAstroDev>>;

/** In milliseconds: as long as `astro dev stop` waits before it kills. */
const GRACE = 5_000;

/** Starts `astro dev` on a free port. */
export async function startAstroDev(astro: Astro, project: AstroProject) {
	const { says, output, end } = startAstro(astro, ['dev', '--host', '127.0.0.1', '--port', '0'], project);
	try {
		const [url] = await says(/http:\/\/127\.0\.0\.1:\d+/);
		const stop = async () => {
			const timer = setTimeout(() => end('SIGKILL'), GRACE);
			await end().finally(() => clearTimeout(timer));
		};
		return { url, output, stop };
	} catch (error) {
		await end('SIGKILL');
		throw error;
	}
}
