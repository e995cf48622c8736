import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from 'product-reviews-sandbox';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import {
	type AstroRun,
	createProject,
	FIXTURES,
	readFiles,
} from '../../packages/integration/test/support/build/project.ts';
import { jsonLines, pageLines, steady } from './canonical.ts';

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));

/** Path of a program in the workspace. */
export type Command = string;
export const INTEGRATION: Command = 'packages/integration/bin/astro-product-reviews.js';
export const WEBHOOK: Command = 'packages/webhook/dist/cli.js';
export const SANDBOX: Command = 'packages/sandbox/dist/cli.js';

/** Texts by the page, report or command that they are of. */
export type Outputs = Record<string, string>;

export type Site = ReturnType<typeof copySite>;

/** Copies a project of this workspace to where it finds the packages. */
export function copySite(folder: string, service: Sandbox, common: AstroRun = {}) {
	const environment = { REVIEWS_TOKEN: service.token, ...common.environment };
	const path = relative(FIXTURES, join(WORKSPACE, folder));
	const project = createProject(path, { service: service.url, ...common, environment });
	const { root } = project;
	return {
		/** Builds it. @returns its pages, its report and the status. */
		async build(run?: AstroRun): Promise<Outputs> {
			rmSync(join(root, 'dist'), { recursive: true, force: true });
			const { status } = await project.tryBuild(run);
			const outputs: Outputs = { status: String(status) };
			const read = (suffix: string) => [...readFiles(root)].filter(([name]) => name.endsWith(suffix));
			for (const [, text] of read('-report.json')) outputs['report'] = jsonOf(text.toString());
			for (const [name, text] of read('.html'))
				if (name.startsWith('dist/')) outputs[name.slice('dist/'.length)] = pageLines(text.toString());
			return outputs;
		},
		/** Runs a command of the integration in its folder. @returns its status and what it printed. */
		command: (...args: string[]) => run(INTEGRATION, args, root, project.buildCommand().environment),
		/** Starts its server, and asks for these paths. */
		async ask(paths: readonly string[]): Promise<Outputs> {
			const { url, stop } = await project.serve({ ...cleanEnvironment(), ...environment });
			try {
				const outputs: Outputs = {};
				for (const path of paths) {
					const answer = await fetch(url + path);
					const text = await answer.text();
					outputs[path] = `${answer.status}\n${path.endsWith('.json') ? jsonOf(text) : pageLines(text)}`;
				}
				return outputs;
			} finally {
				await stop();
			}
		},
		remove: project.remove,
	};
}

/** Runs a command to its end. @returns its status, what it printed, and, if it failed, what it complained about. */
export async function run(
	command: Command,
	args: readonly string[],
	cwd = WORKSPACE,
	environment: NodeJS.ProcessEnv = {},
): Promise<string> {
	const { ended, printed, errors } = runNode([join(WORKSPACE, command), ...args], {
		cwd,
		env: { ...cleanEnvironment(), ...environment },
	});
	const status = await ended;
	return [status, jsonOf(printed()), status === 0 ? '' : steady(errors())].join('\n').trimEnd();
}

/** JSON with its keys in order, and any other text as it is. */
function jsonOf(text: string): string {
	try {
		return jsonLines(JSON.parse(text));
	} catch {
		return steady(text);
	}
}
