import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestOptions } from 'vitest';

/** Programs that tests need and npm does not bring: the tests, and the package on Debian. */
const PROGRAMS = {
	java: { tests: 'markup', debian: 'default-jre-headless' },
	postgres: { tests: 'PostgreSQL', debian: 'postgresql' },
	'redis-server': { tests: 'Redis', debian: 'redis-server' },
	xmllint: { tests: 'feeds', debian: 'libxml2-utils' },
	jq: { tests: 'recipes', debian: 'jq' },
	rsync: { tests: 'uploads', debian: 'rsync' },
} as const;

declare module 'vitest' {
	interface TaskMeta {
		/** Reason why a test is skipped on this machine, and what to do about it. */
		missing?: string;
	}
}

const IS_REQUIRED = process.env['TEST_REQUIRE_PROGRAMS'] === '1';

export function findProgram(name: string): string | undefined {
	const debian = globSync('/usr/lib/postgresql/*/bin');
	const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', ...debian];
	const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
	// Where it is there in name only, such as macOS's java, it fails.
	return file && spawnSync(file, ['--version']).status === 0 ? file : undefined;
}

/**
 * Returns the options of tests that need a program: without the program they are skipped, and `npm test` ends with a line
 * that says why.
 * @throws Error where nothing is to be skipped.
 */
export function needs(name: keyof typeof PROGRAMS): TestOptions {
	const { tests, debian } = PROGRAMS[name];
	if (findProgram(name)) return {};
	const missing = `${tests}: no ${name}. On Debian: apt-get install ${debian}`;
	if (IS_REQUIRED) throw new Error(`Not to be skipped, tests of ${missing}`);
	return { skip: true, meta: { missing } };
}
