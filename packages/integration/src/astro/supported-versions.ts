import { ProductReviewsConfigurationError } from '../errors.js';

/** The oldest supported major version of Astro, and the first with every feature that this integration uses. */
const ASTRO = { oldest: 6, complete: 7 } as const;

/** The first Node whose `node:sqlite` needs no flag. */
const NODE = [22, 13] as const;

/** Makes an error whose message has the advice: versions that are too old may not print hints. */
const tooOld = (code: 'PR_UNSUPPORTED_ASTRO' | 'PR_UNSUPPORTED_NODE', needs: string) =>
	new ProductReviewsConfigurationError(code, `astro-product-reviews needs ${needs}`, 'Then build again.');

/** @throws ProductReviewsConfigurationError for an Astro that is too old */
export function assertAstro(version: string): void {
	if (!isOlder(version, [ASTRO.oldest])) return;
	throw tooOld(
		'PR_UNSUPPORTED_ASTRO',
		`Astro ${ASTRO.oldest} or ${ASTRO.complete}, but this project has Astro ${version}.\nUpgrade with \`npx @astrojs/upgrade\`, one major version at a time: https://docs.astro.build/en/upgrade-astro/`,
	);
}

/** @throws ProductReviewsConfigurationError for a Node that is too old */
export function assertNode(version: string): void {
	if (!isOlder(version, NODE)) return;
	throw tooOld(
		'PR_UNSUPPORTED_NODE',
		`Node ${NODE.join('.')} or later, but this is Node ${version}.\nInstall the current LTS version, also wherever the site is built: https://nodejs.org`,
	);
}

/** Says in a line what a version of Astro lacks; `undefined` if the version has everything. */
export function describeLacks(version: string): string | undefined {
	if (!isOlder(version, [ASTRO.complete])) return undefined;
	return `Astro ${version} has no incremental builds and no route cache; reviews work without them.`;
}

/**
 * Says whether a version is older than another. A part that is not a number is older than any.
 * @param least major version and, if they matter, minor and patch.
 * @example isOlder('7.3.3', [7, 3, 4]) // true
 */
function isOlder(version: string, least: readonly number[]): boolean {
	const parts = version.split('.').map((part) => Number.parseInt(part, 10));
	for (const [index, limit] of least.entries()) {
		const part = parts[index] ?? 0;
		if (part !== limit) return !(part > limit);
	}
	return false;
}
