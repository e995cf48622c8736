// Runs an npm script of this workspace, after installing the dependencies where they are missing or out of date.
// It runs on a fresh clone under whatever Node is there (20 or later), so it uses nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = new URL('../node_modules/.installed-from', import.meta.url);
const lock = createHash('sha256')
	.update(readFileSync(new URL('../package-lock.json', import.meta.url)))
	.digest('hex');

/** npm's own file to run, so that no shell is needed; npm sets it for the scripts it runs. */
function npm(...args) {
	const cli = process.env.npm_execpath;
	const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []];
	const { status, error } = spawnSync(command, [...first, ...args], { cwd: root, stdio: 'inherit' });
	if (error) throw error;
	return status ?? 1;
}

const [script, ...args] = process.argv.slice(2);
if (!script) {
	console.error('Name the npm script to run: node scripts/with-install.mjs <script>');
	process.exit(1);
}
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
	console.log('Installing dependencies (only when they changed) ...');
	// Not `npm ci`: it refuses a lock file that lacks a binary for a platform which the registry did not have.
	const status = npm('install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error');
	if (status !== 0) {
		console.error('The dependencies could not be installed. Check the connection to the npm registry.');
		process.exit(status);
	}
	writeFileSync(stamp, lock);
}
process.exitCode = npm('run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : []));
