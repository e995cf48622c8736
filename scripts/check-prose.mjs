// Checks the words of the documentation against docs/GLOSSARY.md, as far as a machine can. `--fix` replaces them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where textlint is installed: not a workspace, so that the demo and the tests need not download it. */
const HOME = join(import.meta.dirname, 'prose');
const ROOT = join(import.meta.dirname, '..');

const stamp = join(HOME, 'node_modules/.installed-from');
const wanted = createHash('sha256')
	.update(readFileSync(join(HOME, 'package-lock.json')))
	.digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
	const options = ['--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
	if (spawnSync('npm', ['install', ...options], { cwd: HOME, stdio: 'inherit' }).status !== 0)
		process.exit(1);
	writeFileSync(stamp, wanted);
}
/** Written from docstrings by the site, or by the release. */
const MADE =
	/^CHANGELOG|docs\/(?:errors|reference\/(?:options|components|labels|functions|commands|environment))\.md$/;

const DOCUMENTS = ['*.md', 'packages/*/*.md', 'examples/*/README.md', 'docs/src/content/docs/**/*.{md,mdx}'];
const files = globSync(DOCUMENTS, { cwd: ROOT }).filter((path) => !MADE.test(path));
const { status } = spawnSync(
	process.execPath,
	[
		join(HOME, 'node_modules/textlint/bin/textlint.js'),
		...['--config', join(HOME, '.textlintrc.json'), ...process.argv.slice(2)],
		...files.map((path) => join(ROOT, path)),
	],
	{ cwd: HOME, stdio: 'inherit' },
);
if (status === 0) console.log(`${files.length} documents`);
process.exit(status ?? 1);
