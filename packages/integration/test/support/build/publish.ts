import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import type { BuildProject } from './project.js';

const COMMAND = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** The same as a command line. */
export const PUBLISH_COMMAND = `"${process.execPath}" "${COMMAND}" publish`;

/** What `product-reviews publish` printed. */
export interface PublishRun {
	readonly status: number | NodeJS.Signals | null;
	readonly printed: string;
	readonly errors: string;
}

/** Runs `product-reviews publish` in a built project. */
export async function runPublish(
	project: Pick<BuildProject, 'root'>,
	args: readonly string[] = [],
	environment: NodeJS.ProcessEnv = {},
): Promise<PublishRun> {
	const program = runNode([COMMAND, 'publish', '--cache-dir', '.cache/product-reviews', ...args], {
		cwd: project.root,
		env: { ...cleanEnvironment(), ...environment },
	});
	return { status: await program.ended, printed: program.printed(), errors: program.errors() };
}
