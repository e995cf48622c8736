// Installs dependencies that are missing or out of date, builds the packages, and runs a script. It has to work on a fresh
// clone with any Node from version 20, so it uses nothing but Node itself. The script gets the Node of the workspace, whose
// folder npm has put into the path.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const parent = process.ppid;
const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = new URL('../node_modules/.installed-from', import.meta.url);
const lock = createHash('sha256')
	.update(readFileSync(new URL('../package-lock.json', import.meta.url)))
	.digest('hex');

/** Runs npm through its own script, whose path npm sets in the environment, so that no shell is needed. */
function npm(...args) {
	const cli = process.env.npm_execpath;
	const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []];
	const { status, error } = spawnSync(command, [...first, ...args], { cwd: root, stdio: 'inherit' });
	if (error) throw error;
	return status ?? 1;
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
	console.log(
		'Installing dependencies (only if they changed): the first time, this can take a few minutes ...',
	);
	// Not `npm ci`: it rejects a lock file without a platform binary that the registry did not have.
	const status = npm('install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error');
	if (status !== 0) {
		console.error('The dependencies could not be installed. Check the connection to the npm registry.');
		process.exit(status);
	}
	writeFileSync(stamp, lock);
	console.log('Building the packages ...');
}
process.exitCode = npm('run', '--silent', 'build');

const [script, ...args] = process.argv.slice(2);
const isParentGone = () => process.ppid !== parent;
if (script && process.exitCode === 0 && !isParentGone()) {
	// Programs of packages are scripts on Windows, which need a shell.
	const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
	const program = spawn('node', [script, ...args], options);
	// A terminal interrupts all processes. Other signals reach this one, or only the shell in which npm runs it.
	process.on('SIGINT', () => {});
	for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal));
	const watch = setInterval(() => {
		if (isParentGone()) program.kill();
	}, 200);
	const [status] = await once(program, 'exit');
	clearInterval(watch);
	process.exitCode = status ?? 1;
}
