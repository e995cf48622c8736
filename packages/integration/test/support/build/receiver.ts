import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from 'product-reviews-test-support/node-program';
import { vi } from 'vitest';
import type { AstroRun, BuildProject } from './project.js';

const CLI = fileURLToPath(new URL('../../../../webhook/dist/cli.js', import.meta.url));

/** A receiver that rebuilds a project, as a program of its own. */
export interface BuildReceiver {
	/** Address of the events. */
	readonly url: string;
	/** Everything that it printed. */
	output(): string;
	/** Resolves when no rebuild runs or is due. @returns how many were done. */
	idle(): Promise<number>;
	close(): Promise<void>;
}

/** How a receiver is started. */
interface ReceiverRun {
	readonly secret: string;
	/** When the command is run. */
	readonly when: readonly string[];
	/** @default a build of the project */
	readonly command?: string;
}

/** Starts `product-reviews-webhook`. */
export async function startReceiver(
	project: BuildProject,
	run: AstroRun,
	{ secret, when, command }: ReceiverRun,
): Promise<BuildReceiver> {
	const { line, environment } = project.buildCommand(run);
	const where = ['--port', '0', '--cwd', project.root, '--data', join(project.root, '.cache', 'changes.db')];
	const { says, output, end } = runNode([CLI, '--run', command ?? line, ...when, ...where], {
		env: { ...environment, REVIEWS_WEBHOOK_SECRET: secret },
	});
	const [, url = ''] = await says(/Listening at (\S+);/, 30_000);
	return {
		url,
		output,
		async idle() {
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
