import { join } from 'node:path';

/**
 * Alternates between two folders: a site is built into one while visitors see the other, so that they never see an
 * incomplete site. A failed build changes nothing for them.
 *
 * @template Request
 * @param {string} parent
 * @param {(folder: string, request: Request) => Promise<void>} buildInto
 * @returns {{ current: () => string, build: (request: Request) => Promise<void> }} the folder to serve, and a build function
 */
export function createTwoFolders(parent, buildInto) {
	let [current, next] = [join(parent, 'one'), join(parent, 'two')];
	return {
		current: () => current,
		async build(request) {
			await buildInto(next, request);
			[current, next] = [next, current];
		},
	};
}
