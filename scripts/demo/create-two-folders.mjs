import { join } from 'node:path';

/**
 * Two folders in turn: a site is built into one while visitors see the other, so that they never meet half a site. A
 * build that fails changes nothing for them.
 *
 * @template Request
 * @param {string} parent
 * @param {(folder: string, request: Request) => Promise<void>} buildInto
 * @returns {{ current: () => string, build: (request: Request) => Promise<void> }} the folder to serve, and what builds
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
