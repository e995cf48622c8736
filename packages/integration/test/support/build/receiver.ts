import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from 'product-reviews-test-support/node-program';
import { SECRET } from 'product-reviews-test-support/signing';
import { vi } from 'vitest';
import type { BuildProject } from './project.js';

const CLI = fileURLToPath(new URL('../../../../webhook/dist/cli.js', import.meta.url));

export type BuildReceiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts `product-reviews-webhook`, which rebuilds a project, or publishes. @param when to run the command, as arguments. */
export async function startReceiver(
	project: BuildProject,
	{ line, environment }: ReturnType<BuildProject['buildCommand']>,
	when: readonly string[],
	nodeOptions: readonly string[] = [],
	port = 0,
) {
	const where = ['--port', String(port), '--queue-file', join(project.root, '.cache', 'changes.db')];
	const { says, output, end } = runNode([...nodeOptions, CLI, '--run', line, ...when, ...where], {
		cwd: project.root,
		env: { REVIEWS_WEBHOOK_SECRET: SECRET, ...environment },
	});
	const [, url = ''] = await says(/Listening at (\S+);/, 30_000);
	return {
		/** Address of the events. */
		url,
		output,
		/** Resolves when no rebuild runs or is due. @returns how many were done. */
		async idle(): Promise<number> {
			const status = async () => (await fetch(new URL('/status', url))).json();
			const isIdle = async () => {
				const { waiting, isRebuilding } = await status();
				return !isRebuilding && waiting.products === 0;
			};
			await vi.waitUntil(isIdle, { timeout: 120_000 });
			return (await status()).counts.rebuilds;
		},
		close: async () => void (await end()),
	};
}
