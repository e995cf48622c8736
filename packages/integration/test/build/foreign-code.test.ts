import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { productIds } from '../support/build/service.js';

const PIDS = productIds(2);
const HASTY = pathToFileURL(
	fileURLToPath(new URL('../support/build/hasty-timers.mjs', import.meta.url)),
).href;
/** A process in which half a minute passes in a third of a second. */
const environment = { NODE_OPTIONS: `--import=${HASTY}` };

const WHOLE =
	"export default { reviews: () => ({ reviews: [{ author: 'Ada', rating: 5, body: 'Fine.' }] }) };";
const SILENT = 'await new Promise(() => {});';
/** Waits for the answer of a server, which never comes; the connection keeps the process alive. */
const UNANSWERED = `
	import { once } from 'node:events';
	import { connect, createServer } from 'node:net';
	const server = createServer(() => {}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	await once(connect(server.address().port), 'data');
`;

function createStore(options: Readonly<Record<string, unknown>> = {}) {
	const project = createProject('store', { pages: PIDS, options: { products: PIDS, ...options } });
	onTestFinished(project.remove);
	const write = (name: string, code: string) => writeFileSync(join(project.root, name), code);
	return { project, write };
}

test.each([
	['that nothing keeps alive', SILENT],
	['that a connection keeps alive', UNANSWERED],
])('a build ends with a sentence if its provider never loads, in a process %s', async (_what, silent) => {
	const { project, write } = createStore({ provider: './provider.mjs' });
	write('provider.mjs', silent + WHOLE);
	const { status, output } = await project.tryBuild({ environment });
	expect(status, output).toBe(1);
	expect(output).toContain(
		'The module "./provider.mjs" of the option "provider" has not finished loading after 30 seconds.',
	);
});

test('an update ends as well, and gives the output folder back', async () => {
	const { project, write } = createStore({ provider: './provider.mjs' });
	write('silent.mjs', UNANSWERED);
	// Above it, the one of this package says that no module has side effects.
	write('package.json', '{}');
	// An update runs the code of the build, which is not silent yet.
	const wait = "if (process.env.IS_SILENT) await import('./silent.mjs');";
	write('provider.mjs', wait + WHOLE.replace("'Fine.'", "process.env.BODY ?? 'Fine.'"));
	await project.build();
	for (const args of [['p-1'], ['--feeds', 'p-1']]) {
		const { status, errors } = await project.command(['update', ...args], {
			environment: { ...environment, IS_SILENT: '1' },
			options: { feeds: { ratings: true } },
		});
		expect(status, errors).toBe(1);
		expect(errors).toContain('has not finished loading after 30 seconds.');
		expect(errors).toContain('PR_PROVIDER_UNUSABLE');
	}
	const better = { BODY: 'Even better.' };
	expect(await project.updateJson(['p-1'], better)).toMatchObject({ status: 0, failed: [] });
	expect(project.read('products/n1/index.html')).toContain('Even better.');
});
