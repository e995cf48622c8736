import { fileURLToPath } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, test } from 'vitest';
import { CLI, runCli } from '../../support/command.js';

/** Makes Node not find BullMQ, as in a project that has not installed it. */
const WITHOUT_BULLMQ = `data:text/javascript,${encodeURIComponent(`
	import { registerHooks } from 'node:module';
	registerHooks({
		resolve(name, context, next) {
			if (name !== 'bullmq' && name !== 'ioredis') return next(name, context);
			throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
		},
	});
`)}`;

test('says what to install if BullMQ is missing', async () => {
	const args = ['--import', WITHOUT_BULLMQ, CLI, 'refresh', '--redis', 'redis://127.0.0.1:1'];
	const { ended, errors } = runNodeInTest(args, { cwd: createFolder() });
	expect(await ended).toBe(1);
	expect(errors()).toContain('needs BullMQ, which is not installed.\nRun: npm install bullmq ioredis\n');
	expect(errors()).toContain('PR_REDIS_MISSING');
});

test('loads nothing of it without --redis', async () => {
	const hooks = fileURLToPath(
		new URL('../../../../integration/test/support/unit/name-modules.mjs', import.meta.url),
	);
	const { ended, errors } = runNodeInTest(['--import', hooks, CLI, 'refresh'], { cwd: createFolder() });
	await ended;
	expect(errors()).toMatch(/^LOADED .*\/refresh-store\.js$/m);
	expect(errors()).not.toMatch(/^LOADED .*\/(?:bullmq|ioredis|refresh\/redis)\//m);
});

test.each([
	[['--redis', 'redis://a', '--redis-env', 'B'], 'Give either --redis or --redis-env, not both.'],
	[['--redis-env', 'NO_SUCH_VARIABLE'], 'The variable NO_SUCH_VARIABLE is not set.'],
])('%j: %s', async (args, message) => {
	const { status, errors } = await runCli(['refresh', ...args], { cwd: createFolder() });
	expect(status).toBe(1);
	expect(errors).toContain(message);
});
