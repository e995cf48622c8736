// Packs the packages, and publishes those tarballs: the files that the tests installed. With --dry-run it only shows them, and
// needs no network. To publish is for the release workflow, whose identity npm records as the provenance.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGES, pack } from './pack.mjs';

const isDry = process.argv.includes('--dry-run');
const showsFiles = process.argv.includes('--files');
if (!isDry && process.env.GITHUB_ACTIONS !== 'true') {
	console.error(
		'Packages are published by .github/workflows/release.yml. Run `npm run release:dry` to see what it would publish.',
	);
	process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'product-reviews-release-'));
try {
	for (const { directory } of PACKAGES) {
		const packed = pack(directory, folder);
		describe(packed);
		if (!isDry) publish(packed);
	}
	if (!isDry) run('npx', ['changeset', 'tag']);
} finally {
	rmSync(folder, { recursive: true, force: true });
}

function describe({ name, version, files, sizes, packedBytes, unpackedBytes }) {
	console.log(
		`${name}@${version}: ${files.length} files, ${kilobytes(packedBytes)} packed, ${kilobytes(unpackedBytes)} unpacked`,
	);
	const groups = showsFiles
		? files.map((path) => [path, [path]])
		: Object.entries(Object.groupBy(files, topOf));
	for (const [top, paths] of groups) {
		const bytes = paths.reduce((sum, path) => sum + sizes.get(path), 0);
		const count = paths.length > 1 ? `  ${paths.length} files` : '';
		console.log(`  ${kilobytes(bytes).padStart(9)}  ${top}${count}`);
	}
}

/** A file of the package's own folder, or the folder and the kind of file below it. */
function topOf(path) {
	const [top, ...below] = path.split('/');
	if (below.length === 0) return path;
	return `${top}/**${/(?:\.d)?\.[^.]+$/.exec(path)?.[0] ?? ''}`;
}

function publish({ name, version, file }) {
	const known = spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' });
	if (known.stdout.trim() === version) {
		console.log('  already published');
		return;
	}
	run('npm', ['publish', file, '--provenance', '--access', 'public']);
}

function run(command, args) {
	const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
	if (error) throw error;
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.`);
}

function kilobytes(bytes) {
	return `${(bytes / 1_000).toFixed(1)} KB`;
}
