import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Where the stylesheets of stores are installed: not a workspace, so that nobody else has to download them. */
export const STORES = fileURLToPath(new URL('../../../browser/stylesheets', import.meta.url));

const MODULES = join(STORES, 'node_modules');
const STAMP = join(MODULES, '.installed-from');
const LOCK = join(STORES, '.installing');
/** Whoever holds the lock for longer has been ended. */
const STALE = 5 * 60_000;

/** Resolves packages as a file of that folder does. */
export const requireFromStores = createRequire(join(STORES, 'package.json'));

/** Installs them where they are missing or out of date; of callers at the same time, one does it. */
export async function installStores(): Promise<void> {
	const wanted = createHash('sha256')
		.update(readFileSync(join(STORES, 'package-lock.json')))
		.digest('hex');
	const isThere = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
	while (!isThere()) {
		if (!takeLock()) {
			await sleep(500);
			continue;
		}
		try {
			if (!isThere()) await install(wanted);
		} finally {
			rmSync(LOCK, { recursive: true, force: true });
		}
	}
}

// Not `npm ci`: it refuses a lock file that lacks a binary for a platform which the registry did not have.
async function install(wanted: string): Promise<void> {
	await promisify(execFile)(
		'npm',
		['install', '--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
		{
			cwd: STORES,
		},
	);
	writeFileSync(STAMP, wanted);
}

function takeLock(): boolean {
	try {
		mkdirSync(LOCK);
		return true;
	} catch {
		const since = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
		if (since > STALE) rmSync(LOCK, { recursive: true, force: true });
		return false;
	}
}
