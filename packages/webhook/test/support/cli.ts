import { fileURLToPath } from 'node:url';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { SECRET } from 'product-reviews-test-support/signing';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** The built program, with its own environment. It does not outlive the test. */
export function runCli(
	args: readonly string[],
	environment: Record<string, string> = { REVIEWS_WEBHOOK_SECRET: SECRET },
	cwd?: string,
) {
	const program = runNodeInTest([CLI, ...args], { env: { PATH: process.env['PATH'], ...environment }, cwd });
	return {
		...program,
		url: async () => (await program.says(/Listening at (\S+);/, 10_000))[1] ?? '',
	};
}
