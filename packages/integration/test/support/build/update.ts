import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { type NodeProgram, runNode } from 'product-reviews-test-support/node-program';
import type { BuildProject } from './project.js';

const COMMAND = fileURLToPath(new URL('../../../bin/astro-product-reviews.js', import.meta.url));

const UPDATE = ['update', '--cache-dir', '.cache/product-reviews'];

/** `astro-product-reviews update` as a command line, for another program to run in a built project. */
export const UPDATE_LINE = `"${process.execPath}" "${COMMAND}" ${UPDATE.join(' ')}`;

export interface UpdateRun {
	readonly status: number | NodeJS.Signals | null;
	readonly printed: string;
	readonly errors: string;
}

export function startUpdate(
	{ root }: Pick<BuildProject, 'root'>,
	args: readonly string[] = [],
	environment: NodeJS.ProcessEnv = {},
): NodeProgram {
	return runNode([COMMAND, ...UPDATE, ...args], {
		cwd: root,
		env: { ...cleanEnvironment(), ...environment },
	});
}

export async function runUpdate(...given: Parameters<typeof startUpdate>): Promise<UpdateRun> {
	const { ended, printed, errors } = startUpdate(...given);
	return { status: await ended, printed: printed(), errors: errors() };
}
