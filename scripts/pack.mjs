import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The published packages, each after those that it brings along. */
export const PACKAGES = [
	{ directory: 'packages/client' },
	{ directory: 'packages/sandbox' },
	{ directory: 'packages/webhook' },
	{ directory: 'packages/integration' },
];

/** Addresses of the documentation and the repository. Nobody can follow a link to them before they are set here, at release. */
const { release: RELEASE } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/**
 * Packs a package as published: as built, from the sources that are there now.
 * @returns the tarball's path, the package's name and version, the paths in it, and its sizes in bytes.
 */
export function pack(directory, destination) {
	const copy = mkdtempSync(join(tmpdir(), 'product-reviews-package-'));
	try {
		copyPackage(join(ROOT, directory), copy);
		removeLeftovers(copy);
		shortenMaps(copy);
		writeAddresses(copy, directory);
		const { status, stdout, stderr } = spawnSync(
			'npm',
			['pack', '--json', '--ignore-scripts', '--pack-destination', destination],
			{ cwd: copy, encoding: 'utf8' },
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
		rmSync(copy, { recursive: true, force: true });
	}
}

function copyPackage(from, to) {
	const { files } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
	for (const path of ['package.json', ...files.filter((file) => !file.startsWith('!'))])
		cpSync(join(from, path), join(to, path), { recursive: true });
}

/** Removes what an earlier build left: the compiler keeps what it wrote for a source file that is gone. */
function removeLeftovers(folder) {
	for (const path of globSync('dist/**/*.{js,js.map,d.ts,json}', { cwd: folder })) {
		const source = path.replace(/^dist/, 'src').replace(/(?:\.d\.ts|\.js(?:\.map)?)$/, '.ts');
		if (!existsSync(join(folder, source))) rmSync(join(folder, path));
	}
}

/**
 * Leaves the first place of each line in the source maps. Stack traces and debuggers need no more, and the compiler's places
 * inside lines would be a sixth of the package.
 */
function shortenMaps(folder) {
	for (const path of globSync('dist/**/*.js.map', { cwd: folder })) {
		const file = join(folder, path);
		const map = JSON.parse(readFileSync(file, 'utf8'));
		const mappings = encode(decode(map.mappings).map((places) => places.slice(0, 1)));
		writeFileSync(file, JSON.stringify({ ...map, mappings }));
	}
}

function writeAddresses(folder, directory) {
	const { site, repository } = RELEASE;
	const homepage = site && { homepage: site };
	const source = repository && { repository: { type: 'git', url: `git+${repository}.git`, directory } };
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const text = JSON.stringify({ ...manifest, ...homepage, ...source }, undefined, '\t');
	writeFileSync(join(folder, 'package.json'), `${text}\n`);
	const readme = readFileSync(join(folder, 'README.md'), 'utf8');
	writeFileSync(join(folder, 'README.md'), rewriteLinks(readme, directory, RELEASE));
}

/**
 * Points the links of a README into the repository, which a package does not contain, to the site and the repository; without
 * their addresses, only the texts remain.
 * @param {string} markdown
 * @param {string} directory of the package, from the root
 * @param {{ site?: string | null, repository?: string | null }} addresses
 */
export function rewriteLinks(markdown, directory, { site, repository }) {
	return markdown.replace(/(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (_link, image, text, target) => {
		const path = posix.join(directory, target);
		const page = /^docs\/src\/content\/docs\/(.+?)\.mdx?(#.*)?$/.exec(path);
		if (page && site) return `[${text}](${site}/${page[1]}/${page[2] ?? ''})`;
		if (repository) return `${image}[${text}](${repository}/${image ? 'raw' : 'blob'}/HEAD/${path})`;
		return image ? '' : text;
	});
}
