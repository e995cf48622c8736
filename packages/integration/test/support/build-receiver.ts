import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { AstroRun, BuildProject } from './build-project.js';

const CLI = fileURLToPath(new URL('../../../webhook/dist/cli.js', import.meta.url));

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

/** Starts `product-reviews-webhook`. @param options.quiet as `--quiet` takes it. */
export async function startReceiver(
	project: BuildProject,
	run: AstroRun,
	{ secret, quiet }: { readonly secret: string; readonly quiet: string },
): Promise<BuildReceiver> {
	const { line, environment } = project.buildCommand(run);
	const where = ['--port', '0', '--cwd', project.root, '--data', join(project.root, '.cache', 'changes.db')];
	const child = spawn(process.execPath, [CLI, '--run', line, '--quiet', quiet, ...where], {
		env: { ...environment, REVIEWS_WEBHOOK_SECRET: secret },
	});
	const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
	const close = () => {
		child.kill('SIGTERM');
		return ended;
	};
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => {
			output += text;
		});
	const address = () => /Listening at (\S+);/.exec(output)?.[1];
	await vi.waitUntil(() => address() ?? child.exitCode !== null, { timeout: 30_000 });
	const url = address();
	if (url === undefined) throw new Error(`The receiver does not start:\n${output}`);
	return {
		url,
		output: () => output,
		async idle() {
			const status = async () => (await fetch(new URL('/status', url))).json();
			const isIdle = async () => {
				const { waiting, isRebuilding } = await status();
				return !isRebuilding && waiting.products === 0;
			};
			await vi.waitUntil(isIdle, { timeout: 120_000 });
			return (await status()).counts.rebuilds;
		},
		close,
	};
}
