import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stagePackage } from './stage.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The published packages, each after those that it brings along. */
export const PACKAGES = [
	{ directory: 'packages/client' },
	{ directory: 'packages/sandbox' },
	{ directory: 'packages/webhook' },
	{ directory: 'packages/integration' },
];

/**
 * Packs a package as published.
 * @returns a promise of the tarball's path, the package's name and version, the paths in it, and its sizes in bytes.
 */
export async function pack(directory, destination) {
	const staged = mkdtempSync(join(tmpdir(), 'product-reviews-package-'));
	try {
		await stagePackage(join(ROOT, directory), staged);
		const { status, stdout, stderr } = spawnSync(
			'npm',
			['pack', '--json', '--ignore-scripts', '--pack-destination', destination],
			{ cwd: staged, encoding: 'utf8' },
		);
		if (status !== 0) throw new Error(`npm pack failed in ${directory}: ${stderr}`);
		const packed = Object.values(JSON.parse(stdout))[0];
		return {
			file: join(destination, packed.filename),
			name: packed.name,
			version: packed.version,
			files: packed.files.map(({ path }) => path),
			sizes: new Map(packed.files.map(({ path, size }) => [path, size])),
			packedBytes: packed.size,
			unpackedBytes: packed.unpackedSize,
		};
	} finally {
		rmSync(staged, { recursive: true, force: true });
	}
}
