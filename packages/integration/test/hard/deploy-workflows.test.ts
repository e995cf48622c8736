import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	chmodSync,
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';
import { CLI } from '../support/cli/command.js';

const EXAMPLES = join(import.meta.dirname, '../../../../examples/deploy');
/** A store of 2,000 products with `TEST_FULL=1`, which takes minutes. */
const PIDS = productIds(process.env['TEST_FULL'] === '1' ? 2_000 : 12);
const { folder, remove } = createLastingFolder('deploy');
const bin = join(folder, 'bin');

afterAll(remove);

/** Commands of hosts upload what changed by its digest. This one counts it, and serves it from a folder. */
const UPLOAD = `#!/usr/bin/env node
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { join } = require('node:path');
const { SERVED, BROKEN, PAGES } = process.env;
if (BROKEN) process.exit(7);
if (process.argv[2] === 'cloudfront') process.exit();
const digest = (file) => fs.existsSync(file) && createHash('sha1').update(fs.readFileSync(file)).digest('hex');
const files = fs.readdirSync(PAGES, { recursive: true }).filter((name) => fs.statSync(join(PAGES, name)).isFile());
const sent = files.filter((name) => digest(join(PAGES, name)) !== digest(join(SERVED, name)));
for (const name of sent) fs.cpSync(join(PAGES, name), join(SERVED, name), { recursive: true });
fs.appendFileSync(SERVED + '.log', JSON.stringify({ sent: sent.length, of: files.length }) + '\\n');
`;

const TOOLS = ['netlify-cli', 'wrangler', 'vercel', 'aws', 'rsync'];

function writeProgram(name: string, text: string): void {
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, name), text);
	chmodSync(join(bin, name), 0o755);
}

/** An adapter that copies the pages, as that of Vercel does. */
const COPYING = `{ name: 'copying', hooks: { 'astro:config:setup': ({ updateConfig }) => updateConfig({ integrations: [
	{ name: 'copy', hooks: { 'astro:build:done': () => cpSync('dist', '.vercel/output/static', { recursive: true }) } },
] }) } }`;

/** A store whose repository has a workflow, and a machine that runs it. */
async function createMachine(name: string) {
	const { project, service } = await startShop('store', PIDS, {
		environment: TOKEN,
		config: { cacheDir: './node_modules/.astro' },
	});
	const { root } = project;
	const isVercel = name === 'vercel.yml';
	if (isVercel)
		project.change(
			'astro.config.mjs',
			(text) =>
				`import { cpSync } from 'node:fs';\n${text.replace('integrations: [', `integrations: [${COPYING}, `)}`,
		);
	cpSync(join(EXAMPLES, 'deploy.sh'), join(root, 'deploy.sh'));
	const { line, environment } = project.buildCommand();
	for (const tool of TOOLS) writeProgram(tool, UPLOAD);
	writeProgram('npm', '#!/bin/sh\nrm -rf node_modules && mkdir node_modules\n');
	writeProgram(
		'npx',
		`#!/bin/sh\ncase "$1" in\nastro) exec ${line} ;;\nastro-product-reviews) shift; exec "${process.execPath}" "${CLI}" "$@" ;;\n*) exec "$@" ;;\nesac\n`,
	);
	let commit = 'a';
	writeProgram('git', '#!/bin/sh\necho "$COMMIT"\n');
	const served = join(folder, 'served', name);
	mkdirSync(served, { recursive: true });
	const saved = join(folder, 'saved', name);
	const workflow = parse(readFileSync(join(EXAMPLES, name), 'utf8'));

	const shell = async (run: string, more: NodeJS.ProcessEnv): Promise<number | null> => {
		const child = spawn('bash', ['-euo', 'pipefail', '-c', run], {
			cwd: root,
			env: {
				...{ ...cleanEnvironment(), ...environment, COMMIT: commit, SERVED: served },
				...{ PAGES: isVercel ? '.vercel/output/static' : 'dist', HOME: folder },
				...{ PATH: `${bin}:${process.env['PATH']}`, ...more },
			},
			stdio: 'ignore',
		});
		const [code] = await once(child, 'exit');
		return code;
	};
	const restore = () => void (existsSync(saved) && cpSync(saved, root, { recursive: true }));
	const save = (paths: readonly string[]) => {
		rmSync(saved, { recursive: true, force: true });
		for (const path of paths)
			if (existsSync(join(root, path))) cpSync(join(root, path), join(saved, path), { recursive: true });
	};
	const evaluate = (text: string, event: string) =>
		text
			.replace(/\$\{\{ github\.event_name == '(\w+)' && '(\w+)' \|\| '(\w+)' \}\}/g, (_all, name, yes, no) =>
				event === name ? yes : no,
			)
			.replace(/\$\{\{[^}]*\}\}/g, 'x');

	const runGithub = async (event: string, more: NodeJS.ProcessEnv): Promise<boolean> => {
		const variables = Object.entries<string>(workflow.env).map(([key, text]) => [key, evaluate(text, event)]);
		// The store's own are those of the service beside it.
		const own = variables.filter(([key = '']) => !key.startsWith('REVIEWS_'));
		let isRight = true;
		for (const { uses = '', run, with: given, if: condition } of workflow.jobs.deploy.steps) {
			if (!isRight && condition !== 'always()') continue;
			if (run) isRight = (await shell(evaluate(run, event), { ...Object.fromEntries(own), ...more })) === 0;
			else if (uses.startsWith('actions/cache/restore@')) restore();
			else if (uses.startsWith('actions/cache/save@')) save(given.path.trim().split('\n'));
			else expect(uses).toMatch(/^actions\/(?:checkout|setup-node)@/);
		}
		return isRight;
	};
	const runGitlab = async (event: string, more: NodeJS.ProcessEnv): Promise<boolean> => {
		const { script, cache, variables, rules } = workflow.deploy;
		const source = event === 'push' ? 'CI_COMMIT_BRANCH' : 'CI_PIPELINE_SOURCE';
		const rule = rules.find((one: { readonly if: string }) => one.if.startsWith(`$${source}`));
		restore();
		const code = await shell(script.join('\n'), { ...variables, ...rule.variables, ...more });
		save(cache.paths);
		return code === 0;
	};

	return {
		service,
		page: (pid: string) =>
			readFileSync(join(served, `products/${pid.replace('p-', 'n')}/index.html`), 'utf8'),
		push: () => {
			commit += 'a';
		},
		loseCache: () => rmSync(saved, { recursive: true, force: true }),
		/** Runs the workflow in a clean checkout. @returns whether it succeeded, and what each upload sent */
		async run(pids?: readonly string[], more: NodeJS.ProcessEnv = {}) {
			for (const path of ['node_modules', 'dist', 'kept', '.vercel'])
				rmSync(join(root, path), { recursive: true, force: true });
			rmSync(`${served}.log`, { force: true });
			const payload = join(folder, 'payload.json');
			writeFileSync(payload, JSON.stringify({ pids, client_payload: { pids } }));
			const told = pids && {
				...{ GITHUB_EVENT_NAME: 'repository_dispatch', GITHUB_EVENT_PATH: payload },
				...(name === 'gitlab-ci.yml' && { TRIGGER_PAYLOAD: payload }),
			};
			const runHere = name === 'gitlab-ci.yml' ? runGitlab : runGithub;
			const succeeded = await runHere(pids ? 'repository_dispatch' : 'push', { ...told, ...more });
			const log = existsSync(`${served}.log`) ? readFileSync(`${served}.log`, 'utf8').trim().split('\n') : [];
			const uploads = log.map((line) => JSON.parse(line) as { readonly sent: number; readonly of: number });
			return { succeeded, uploads };
		},
	};
}

const NAMES = globSync('*.yml', { cwd: EXAMPLES })
	.map((file) => basename(file))
	.toSorted();

test('there is a workflow for each host', () => {
	expect(NAMES).toEqual([
		'cloudflare.yml',
		'gitlab-ci.yml',
		'netlify.yml',
		'rsync.yml',
		's3.yml',
		'vercel.yml',
	]);
});

test.each(NAMES)('%s: a push uploads the store, and a review the files that it changed', async (name) => {
	const machine = await createMachine(name);
	const pushed = await machine.run();
	expect(pushed).toEqual({
		succeeded: true,
		uploads: [{ sent: expect.any(Number), of: expect.any(Number) }],
	});
	expect(pushed.uploads[0]?.sent).toBeGreaterThan(PIDS.length);

	publish(machine.service, 'p-3', 'Reviewed since.');
	const startedAt = performance.now();
	const updated = await machine.run(['p-3']);
	const seconds = (performance.now() - startedAt) / 1_000;
	expect(updated).toEqual({ succeeded: true, uploads: [{ sent: 2, of: pushed.uploads[0]?.of }] });
	expect(machine.page('p-3')).toContain('Reviewed since.');
	const [{ sent, of } = {}] = updated.uploads;
	console.log(`${name}: ${sent} of ${of} files sent, ${seconds.toFixed(1)} s after the event.`);
});

test('no review is lost: of two events, with a push in between, a failed upload, or a lost cache', async () => {
	const machine = await createMachine('netlify.yml');
	await machine.run();
	publish(machine.service, 'p-1', 'The first event.');
	publish(machine.service, 'p-2', 'The second event.');
	const [first] = (await machine.run(['p-1'])).uploads;
	// The page, and the list with its stars.
	expect(first?.sent).toBe(2);

	// The pages of another commit are not updated: they are built.
	machine.push();
	const [second] = (await machine.run(['p-2'])).uploads;
	expect(second?.sent).toBeGreaterThan(0);
	expect(machine.page('p-1')).toContain('The first event.');
	expect(machine.page('p-2')).toContain('The second event.');

	publish(machine.service, 'p-3', 'Not uploaded at first.');
	expect((await machine.run(['p-3'], { BROKEN: '1' })).succeeded).toBe(false);
	expect(machine.page('p-3')).not.toContain('Not uploaded at first.');
	publish(machine.service, 'p-4', 'After a failure.');
	expect((await machine.run(['p-4'])).uploads).toEqual([{ sent: 3, of: first?.of }]);
	expect(machine.page('p-3')).toContain('Not uploaded at first.');

	machine.loseCache();
	publish(machine.service, 'p-5', 'With no cache.');
	expect((await machine.run(['p-5'])).succeeded).toBe(true);
	expect(machine.page('p-5')).toContain('With no cache.');
	expect(machine.page('p-4')).toContain('After a failure.');
});
