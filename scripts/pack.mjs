import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The published packages, each after its dependencies. */
export const PACKAGES = [
	{ directory: 'packages/client' },
	{ directory: 'packages/sandbox' },
	{ directory: 'packages/webhook' },
	{ directory: 'packages/integration' },
];

/**
 * Packs a package as published.
 * @returns the tarball's path, the package's name and the paths in it.
 */
export function pack(directory, destination) {
	const { status, stdout, stderr } = spawnSync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', destination],
		{ cwd: join(ROOT, directory), encoding: 'utf8' },
	);
	if (status !== 0) throw new Error(`npm pack failed in ${directory}: ${stderr}`);
	const packed = Object.values(JSON.parse(stdout))[0];
	return {
		file: join(destination, packed.filename),
		name: packed.name,
		files: packed.files.map(({ path }) => path),
	};
}
