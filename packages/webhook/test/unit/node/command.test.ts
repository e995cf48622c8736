import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebhookConfigurationError } from '../../../src/index.js';
import { command } from '../../../src/node/index.js';
import { runRebuild } from '../../support/triggering.js';

/** A command line that runs a script of Node's. */
function script(code: string): { line: string; cwd: string } {
	const cwd = createFolder();
	writeFileSync(join(cwd, 'script.mjs'), code);
	return { line: `"${process.execPath}" script.mjs`, cwd };
}

const isAlive = (pid: number) => {
	try {
		process.kill(pid, 0);
		// One that ended, and that nobody waited for, is still in the table.
		return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
};

test('runs in its folder, with the products in the environment', async () => {
	const { line, cwd } = script(
		"import { writeFileSync } from 'node:fs'; writeFileSync('out', process.env.REVIEWS_CHANGED)",
	);
	const rebuild = command(line, { cwd });
	const pids = ['p-1', "'; rm -rf / #", '$(x)', '🧦', 'a"b\n'];
	expect((await runRebuild(rebuild, { pids })).message).toBeUndefined();
	expect(JSON.parse(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual({ pids });
	await runRebuild(rebuild, { all: true, pids: [] });
	expect(JSON.parse(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual({ all: true });
	await runRebuild(rebuild, { pids: Array.from({ length: 20_000 }, (_, index) => `p-${index}`) });
	expect(JSON.parse(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual({ all: true });
	const most = ['x'.repeat(99_987)];
	await runRebuild(rebuild, { pids: most });
	expect(readFileSync(join(cwd, 'out'), 'utf8') === JSON.stringify({ pids: most })).toBe(true);
});

test('has the environment that it is given, and no other', async () => {
	const { line, cwd } = script('console.log(process.env.ONE, process.env.HOME)');
	const { lines } = await runRebuild(command(line, { cwd, env: { ONE: '1' } }));
	expect(lines).toEqual(['| 1 undefined']);
});

test('what it prints is logged line by line', async () => {
	const { line, cwd } = script("console.log('one\\n\\ntwo  '); console.error('three')");
	const { lines } = await runRebuild(command(line, { cwd }));
	expect(lines.toSorted()).toEqual(['| one', '| three', '| two']);
});

test('a line that comes in pieces is logged as one', async () => {
	const { line, cwd } = script(
		"process.stdout.write('one '); setTimeout(() => process.stdout.write('line\\nlast'), 100)",
	);
	const { lines } = await runRebuild(command(line, { cwd }));
	expect(lines).toEqual(['| one line', '| last']);
});

test('a failure has its status, and the last of its output only', async () => {
	const { line, cwd } = script(
		"console.log('first' + 'x'.repeat(3000)); console.log('the reason'); process.exit(3)",
	);
	const { message } = await runRebuild(command(line, { cwd }));
	expect(message).toMatch(/^The command ended with 3\.\n/);
	expect(message).toContain('the reason');
	expect(message).not.toContain('first');
	expect(message?.length).toBeLessThan(2_100);
});

test('an exit code may say that it did what it could, and other codes are failures still', async () => {
	const { line, cwd } = script('console.log("left to a rebuild"); process.exit(3)');
	const { lines, message } = await runRebuild(command(line, { cwd, incompleteCode: 3 }));
	expect(message).toBeUndefined();
	expect(lines).toEqual([
		'| left to a rebuild',
		'The command ended with 3: it did what it could, and some pages need a rebuild.',
	]);
	expect((await runRebuild(command('exit 1', { incompleteCode: 3 }))).message).toContain('ended with 1');
});

test('a signal that ends it is named', async () => {
	const { line, cwd } = script("process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 5000)");
	expect((await runRebuild(command(`exec ${line}`, { cwd }))).message).toContain(
		'The command ended with SIGKILL.',
	);
});

test.each([
	['', '/bin/no-such-command'],
	['no-such-folder', 'true'],
])('what cannot be started is a failure (folder "%s", %s)', async (folder, line) => {
	const cwd = join(createFolder(), folder);
	expect((await runRebuild(command(line, { cwd }))).message).toBeDefined();
});

/** Starts a process that starts another; both write their ids, and the second one is deaf to SIGTERM. */
const FAMILY = `
	import { spawn } from 'node:child_process';
	import { writeFileSync } from 'node:fs';
	const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')";
	const child = spawn(process.execPath, ['-e', code], { stdio: 'inherit' });
	writeFileSync('pids', process.pid + ' ' + child.pid);
`;

test('too long a time ends it, and all that it started', async () => {
	const { line, cwd } = script(`${FAMILY} setInterval(() => {}, 1000);`);
	const started = performance.now();
	const { message } = await runRebuild(command(line, { cwd, timeout: 1_500 }));
	expect(message).toBe('The command took longer than 1.5 s and was ended.');
	expect(performance.now() - started).toBeLessThan(14_000);
	const pids = readFileSync(join(cwd, 'pids'), 'utf8').split(' ').map(Number);
	expect(pids).toHaveLength(2);
	await expect.poll(() => pids.filter(isAlive)).toEqual([]);
}, 20_000);

test('a command that ends with 0 is done, whatever it leaves in the background', async () => {
	const { line, cwd } = script("console.log('built')");
	const started = performance.now();
	const background = "sh -c 'sleep 1.5; echo late; touch later; sleep 30' & echo $! > pid";
	const { lines, message } = await runRebuild(command(`${background}; ${line}`, { cwd, timeout: 20_000 }));
	expect(performance.now() - started).toBeLessThan(10_000);
	expect([lines, message]).toEqual([['| built'], undefined]);
	const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
	onTestFinished(() => {
		spawnSync('pkill', ['-KILL', '-P', String(pid)]);
		if (isAlive(pid)) process.kill(pid, 'SIGKILL');
	});
	// What it prints later goes nowhere, and is no reason to end it.
	await expect.poll(() => existsSync(join(cwd, 'later'))).toBe(true);
	expect(isAlive(pid)).toBe(true);
	expect(lines).toEqual(['| built']);
});

test('of a command that fails nothing goes on: it would meet the next try', async () => {
	const { line, cwd } = script('process.exit(3)');
	const { message } = await runRebuild(command(`sleep 30 & echo $! > pid; ${line}`, { cwd }));
	expect(message).toContain('The command ended with 3.');
	expect(isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
});

test.each([
	['in lines', "'x'.repeat(99) + '\\n'"],
	['in one line', "'x'.repeat(100)"],
])('output without end fills neither the log nor memory, %s', async (_how, text) => {
	const { line, cwd } = script(
		`const text = (${text}).repeat(1_000); let left = 300; const more = () => { if (left--) process.stdout.write(text, more); else console.log('\\nthe end'); }; more();`,
	);
	let length = 0;
	let last = '';
	const { message } = await runRebuild(command(line, { cwd }), {
		log(said) {
			length += said.length;
			last = said;
		},
	});
	expect(message).toBeUndefined();
	expect(last).toBe('| (further output is not logged)');
	expect(length).toBeGreaterThan(9_000_000);
	expect(length).toBeLessThan(12_000_000);
});

test('a command has no secret of a receiver in its environment, and all else', async () => {
	const { line, cwd } = script('console.log(Object.keys(process.env).join(" "))');
	const secrets = [
		'REVIEWS_WEBHOOK_SECRET',
		'REVIEWS_WEBHOOK_KEY',
		'DEPLOY_HOOK_URL',
		'GITHUB_DISPATCH_TOKEN',
	];
	const kept = ['PATH', 'REVIEWS_BASE_URL', 'REVIEWS_WSID', 'REVIEWS_TOKEN'];
	for (const name of [...secrets, ...kept.slice(1)]) vi.stubEnv(name, 'canary');
	onTestFinished(() => void vi.unstubAllEnvs());
	const names = (await runRebuild(command(line, { cwd }))).lines[0]?.split(' ');
	expect(names).toEqual(expect.arrayContaining(kept));
	for (const name of secrets) expect(names).not.toContain(name);
});

test('ends when the receiver does', async () => {
	const { line, cwd } = script("console.log('ready'); setInterval(() => {}, 1000)");
	const ending = new AbortController();
	const { message } = await runRebuild(command(line, { cwd }), {
		signal: ending.signal,
		log: () => ending.abort(),
	});
	expect(message).toBe('The command was ended because the receiver is shutting down.');
});

test('does not start once the receiver has ended', async () => {
	const { line, cwd } = script("import { writeFileSync } from 'node:fs'; writeFileSync('out', '')");
	const { message } = await runRebuild(command(line, { cwd }), {
		signal: AbortSignal.abort(new Error('Ended.')),
	});
	expect(message).toBe('Ended.');
	expect(existsSync(join(cwd, 'out'))).toBe(false);
});

test('may take longer than a timer can wait', async () => {
	const { line, cwd } = script('setTimeout(() => {}, 200)');
	expect((await runRebuild(command(line, { cwd, timeout: 1_000 * 3_600_000 }))).message).toBeUndefined();
});

test.each(['', '  ', undefined])('"%s" cannot be configured', (line) => {
	expect(() => command(line as string)).toThrow(WebhookConfigurationError);
});
