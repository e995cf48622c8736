import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What would make a project behave otherwise than in a terminal of its own. */
const NOT_INHERITED = /^(?:REVIEWS_|VITEST|npm_(?!config_)|(?:NODE_ENV|NODE_OPTIONS|FORCE_COLOR|INIT_CWD)$)/;

/**
 * Runs a command in a folder, without what this process was started with.
 * @param {readonly string[]} command
 * @param {{ cwd: string, environment?: Record<string, string> }} options
 * @returns {Promise<string>} what it printed
 * @throws Error with what it printed, if it fails
 */
export async function runCommand([file, ...args], { cwd, environment = {} }) {
	const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
	const env = {
		...Object.fromEntries(inherited),
		NO_COLOR: '1',
		ASTRO_TELEMETRY_DISABLED: '1',
		...environment,
	};
	try {
		const { stdout, stderr } = await promisify(execFile)(file, args, {
			cwd,
			env,
			maxBuffer: 64 * 1024 * 1024,
		});
		return stdout + stderr;
	} catch (cause) {
		throw new Error(
			`"${[file, ...args].join(' ')}" failed:\n${cause.stdout ?? ''}${cause.stderr ?? cause.message}`,
			{
				cause,
			},
		);
	}
}
