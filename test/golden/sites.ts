import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from 'product-reviews-sandbox';
import { astroIn, cleanEnvironment, runAstro } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { jsonLines, pageLines, steady } from './canonical.ts';

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = astroIn(WORKSPACE);

/** Path of a program in the workspace. */
export type Command = string;
export const INTEGRATION: Command = 'packages/integration/bin/astro-product-reviews.js';
export const WEBHOOK: Command = 'packages/webhook/dist/cli.js';
export const SANDBOX: Command = 'packages/sandbox/dist/cli.js';

/** Texts by the page, report or command that they are of. */
export type Outputs = Record<string, string>;

/** A copy of a project. */
export interface Site {
	/** Builds it. @returns its pages, its report and the status. */
	build(environment?: Readonly<Record<string, string>>): Promise<Outputs>;
	/** Runs a command of the integration in its folder. @returns its status and what it printed. */
	command(...args: string[]): Promise<string>;
	/** Starts its server, and asks for these paths. */
	ask(paths: readonly string[]): Promise<Outputs>;
	remove(): void;
}

/** Copies a project of this workspace to where it finds the packages. */
export function copySite(folder: string, service: Sandbox, variables: Record<string, string> = {}): Site {
	const root = join(WORKSPACE, 'test/golden/.copies', randomUUID());
	mkdirSync(root, { recursive: true });
	const isSource = (path: string) => !/\/(?:node_modules|\.astro|dist|test)$/.test(path);
	cpSync(join(WORKSPACE, folder), root, { recursive: true, filter: isSource });
	const environment = {
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
		REVIEWS_TOKEN: service.token,
		...variables,
	};
	return {
		async build(more) {
			rmSync(join(root, 'dist'), { recursive: true, force: true });
			const { status } = await runAstro(ASTRO, ['build'], { root, environment: { ...environment, ...more } });
			return { status: String(status), ...readReport(root), ...readPages(join(root, 'dist')) };
		},
		command: (...args) => run(INTEGRATION, args, root, environment),
		async ask(paths) {
			const { says, end } = runNode([join(root, 'dist/server/entry.mjs')], {
				cwd: root,
				env: { ...cleanEnvironment(), HOST: '127.0.0.1', PORT: '0', ...environment },
			});
			try {
				const [url] = await says(/http:\/\/127\.0\.0\.1:\d+/);
				const outputs: Outputs = {};
				for (const path of paths) {
					const answer = await fetch(url + path);
					const text = await answer.text();
					outputs[path] = `${answer.status}\n${path.endsWith('.json') ? jsonOf(text) : pageLines(text)}`;
				}
				return outputs;
			} finally {
				await end();
			}
		},
		remove: () => rmSync(root, { recursive: true, force: true }),
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

function readReport(root: string): Outputs {
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
	const file = files.find((path) => path.endsWith('-report.json'));
	return file ? { report: jsonOf(readFileSync(join(root, file), 'utf8')) } : {};
}

function readPages(dist: string): Outputs {
	if (!existsSync(dist)) return {};
	const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
		path.endsWith('.html'),
	);
	return Object.fromEntries(pages.map((path) => [path, pageLines(readFileSync(join(dist, path), 'utf8'))]));
}
