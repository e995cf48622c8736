import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cleanEnvironment } from 'product-reviews-test-support/astro';

/**
 * Runs a command in a folder, without what this process was started with.
 * @returns what it printed
 * @throws Error with what it printed, if it fails
 */
export async function runCommand(
	[file = '', ...args]: readonly string[],
	options: { readonly cwd: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<string> {
	// `npm test` has settings of its own for npm: they are not those of a terminal.
	const own = Object.entries(cleanEnvironment()).filter(
		([name]) => !/^(?:npm_(?!config_)|INIT_CWD$)/.test(name),
	);
	const env = { ...Object.fromEntries(own), ...options.environment };
	try {
		const { stdout, stderr } = await promisify(execFile)(file, args, {
			cwd: options.cwd,
			env,
			maxBuffer: 64 * 1024 * 1024,
		});
		return stdout + stderr;
	} catch (cause) {
		const { stdout = '', stderr = '', message } = cause as Error & { stdout?: string; stderr?: string };
		throw new Error(`"${[file, ...args].join(' ')}" failed:\n${stdout}${stderr || message}`, { cause });
	}
}
