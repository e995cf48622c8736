import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Plugin } from 'vite';
import { INTEGRATION_NAME } from '../constants.js';

/**
 * Code that may read html that components wrote: slots that are rendered, middleware, Astro's containers, and renderers of
 * other frameworks.
 */
const READS =
	/\.slots\b(?!\??\.has\b)|\bslots\b[^;{}]*\}\s*=\s*Astro|\bonRequest\b|AstroContainer|\brenderToStaticMarkup\b/;

/** Modules of Astro's, and our own, which place what they are given. */
const OURS = dirname(createRequire(import.meta.url).resolve(`${INTEGRATION_NAME}/package.json`)).replaceAll(
	'\\',
	'/',
);
const ASTROS = '/node_modules/astro/';

/** Notices whether a site has code that may read what components write. @param onReader called for each such module */
export function vitePluginReaders(onReader: () => void): Plugin {
	return {
		name: `${INTEGRATION_NAME}:readers`,
		apply: 'build',
		enforce: 'post',
		transform(code, id) {
			const isTheirs = !id.startsWith('\0') && !id.includes(ASTROS) && !isOurs(id);
			if (isTheirs && this.environment.name !== 'client' && READS.test(code)) onReader();
		},
	};
}

function isOurs(id: string): boolean {
	return ['/components/', '/dist/'].some((folder) => id.startsWith(OURS + folder));
}
