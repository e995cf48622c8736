// Packs every published package and checks the tarballs: what publint and "are the types wrong" find, what is in them, how
// large they are, and how many packages come with them.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PACKAGES, pack } from './pack.mjs';
import { runtimeDependencies } from './runtime-dependencies.mjs';

/** Entry points without types for Node: only Astro resolves .astro files, and `astro check` covers their types. */
const NOT_FOR_NODE = { 'astro-product-reviews': ['./components'] };
/** The packages are ES modules only; Node supports `require` of ES modules since 22.12. */
const ACCEPTED = new Set(['CJSResolvesToESM']);

/** How many packages a package brings besides Astro at most. */
const MOST_DEPENDENCIES = { 'astro-product-reviews': 10 };

/** How large a package is at most, packed, in kilobytes. */
const MAX_KILOBYTES = { 'astro-product-reviews': 600 };

const folder = mkdtempSync(join(tmpdir(), 'product-reviews-pack-'));
let problems = 0;
for (const { directory } of PACKAGES) {
	const { file, name, files, packedBytes } = pack(directory, folder);
	const dependencies = runtimeDependencies(directory);
	const kilobytes = packedBytes / 1_000;
	const tarball = readFileSync(file);
	const found = [
		...(await publintMessages(tarball)),
		...(await typeProblems(name, tarball)),
		...files
			.filter((path) => /(^|\/)(test|\.tsbuildinfo|\.env)/.test(path))
			.map((path) => `contains ${path}`),
		...(dependencies.length > (MOST_DEPENDENCIES[name] ?? Number.POSITIVE_INFINITY)
			? [`at most ${MOST_DEPENDENCIES[name]} packages besides`]
			: []),
		...(kilobytes > (MAX_KILOBYTES[name] ?? Number.POSITIVE_INFINITY)
			? [`at most ${MAX_KILOBYTES[name]} KB packed`]
			: []),
	];
	const size = `${kilobytes.toFixed(1)} KB packed`;
	console.log(
		`${name}: ${files.length} files, ${size}, ${dependencies.length} packages besides, ${found.length} problems`,
	);
	if (dependencies.length > 0) console.log(`  ${dependencies.join(', ')}`);
	for (const problem of found) console.log(`  ${problem}`);
	problems += found.length;
}
const published = PACKAGES.map(({ directory }) => directory);
for (const directory of globSync('packages/*').filter((path) => !published.includes(path))) {
	if (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).private) continue;
	console.log(`${directory}: not published, and not private`);
	problems += 1;
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = problems === 0 ? 0 : 1;

async function publintMessages(tarball) {
	const { messages, pkg } = await publint({
		pack: { tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.length) },
		strict: true,
	});
	return messages.map((message) => `publint: ${formatMessage(message, pkg)}`);
}

async function typeProblems(name, tarball) {
	const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)), {
		excludeEntrypoints: NOT_FOR_NODE[name] ?? [],
	});
	if (!result.types) return ['attw: no types'];
	return result.problems
		.filter(({ kind, resolutionKind }) => !ACCEPTED.has(kind) && resolutionKind !== 'node10')
		.map((problem) => `attw: ${JSON.stringify(problem)}`);
}
