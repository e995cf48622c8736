/** The project has an Astro, or runs on a Node, that this integration does not work with. */
class UnsupportedVersionError extends Error {
	override name = 'UnsupportedVersionError';
}

/** The oldest major version of Astro that this integration works with, and the first that has all that it makes use of. */
const ASTRO = { oldest: 6, complete: 7 } as const;

/** The first Node whose `node:sqlite` needs no flag. */
const NODE = { major: 22, minor: 13 } as const;

/** @throws UnsupportedVersionError for an Astro that is too old */
export function assertAstro(version: string): void {
	if (partsOf(version).major >= ASTRO.oldest) return;
	throw new UnsupportedVersionError(
		`astro-product-reviews needs Astro ${ASTRO.oldest} or ${ASTRO.complete}, and this project has Astro ${version}.\nUpgrade with \`npx @astrojs/upgrade\`, one major version at a time: https://docs.astro.build/en/upgrade-astro/`,
	);
}

/** @throws UnsupportedVersionError for a Node that is too old */
export function assertNode(version: string): void {
	const { major, minor } = partsOf(version);
	if (major > NODE.major || (major === NODE.major && minor >= NODE.minor)) return;
	throw new UnsupportedVersionError(
		`astro-product-reviews needs Node ${NODE.major}.${NODE.minor} or later, and this is Node ${version}.\nInstall the current LTS version, and set it wherever the site is built, too: https://nodejs.org`,
	);
}

/** A line on what a version of Astro lacks; `undefined` where it has everything. */
export function describeLacks(version: string): string | undefined {
	if (partsOf(version).major >= ASTRO.complete) return undefined;
	return `Astro ${version} has no incremental builds and no route cache; reviews work without them.`;
}

function partsOf(version: string): { readonly major: number; readonly minor: number } {
	const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
	return { major, minor };
}
