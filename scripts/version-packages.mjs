// Applies the changesets: new versions and changelogs, the same version in the examples, and a lock file that knows them. The
// release workflow runs it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLES = ['starter', 'providers'].map(
	(name) => new URL(`../examples/${name}/package.json`, import.meta.url),
);

run('npx', 'changeset', 'version');
const { version } = JSON.parse(
	readFileSync(new URL('../packages/integration/package.json', import.meta.url), 'utf8'),
);
for (const file of EXAMPLES) {
	const example = JSON.parse(readFileSync(file, 'utf8'));
	example.dependencies['astro-product-reviews'] = `^${version}`;
	if (example.devDependencies) example.devDependencies['product-reviews-sandbox'] = `^${version}`;
	writeFileSync(file, `${JSON.stringify(example, undefined, '\t')}\n`);
}
run('npm', 'install', '--package-lock-only', '--no-audit', '--no-fund', '--omit-lockfile-registry-resolved');

function run(command, ...args) {
	const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
	if (error) throw error;
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.`);
}
