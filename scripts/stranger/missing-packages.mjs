import { readFileSync } from 'node:fs';

/**
 * Optional packages that the registry did not have when this workspace was locked, such as binaries for other platforms in a
 * partial mirror. npm and pnpm leave them out; Yarn refuses to install without them.
 * @returns {string[]} names; none with a complete registry
 */
export function missingPackages() {
	const lock = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
	const packages = Object.entries(JSON.parse(lock).packages);
	const known = new Set(packages.map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 13)));
	const optional = packages.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
	return [...new Set(optional)].filter((name) => !known.has(name));
}
