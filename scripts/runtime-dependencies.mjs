import { readFileSync } from 'node:fs';

/**
 * Names of the packages that a package of this workspace brings with it, directly or not, from the lock file. Peers, and
 * what is optional, are not among them. If Astro is a peer, what Astro brings anyway is not, either.
 * @param {string} directory of the package, such as 'packages/client'
 * @returns {string[]} sorted
 */
export function runtimeDependencies(directory) {
	const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
	const isForAstro = packages[directory].peerDependencies?.astro !== undefined;
	const ofAstro = isForAstro ? dependenciesOf('node_modules/astro', packages) : new Set();
	const own = dependenciesOf(directory, packages).difference(ofAstro);
	return [...own].map((place) => place.slice(place.lastIndexOf('node_modules/') + 13)).sort();
}

/** Places of all packages that come with one. */
function dependenciesOf(directory, packages) {
	const found = new Set();
	const visit = (from) => {
		for (const name of Object.keys(packages[from].dependencies ?? {})) {
			const place = placeOf(packages, from, name);
			if (found.has(place)) continue;
			found.add(place);
			visit(packages[place].link ? packages[place].resolved : place);
		}
	};
	visit(directory);
	return found;
}

/** Where Node finds a package: in the nearest `node_modules` on the way up. */
function placeOf(packages, from, name) {
	for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
		const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
		if (packages[place]) return place;
		if (folder === '') throw new Error(`package-lock.json has no ${name}, which ${from} needs.`);
	}
}
