import { dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';
import { INTEGRATION_NAME, STORE_ADDRESS } from '../constants.js';

/**
 * Says in the code of a server where the store is, relative to the file with that code: the project may be moved as a
 * whole.
 */
export function vitePluginStoreFile(storeFile: () => string): Plugin {
	return {
		name: `${INTEGRATION_NAME}:store-file`,
		apply: 'build',
		renderChunk(code, { fileName }, { dir }) {
			if (dir === undefined || !code.includes(STORE_ADDRESS)) return null;
			const path = relative(dirname(join(dir, fileName)), storeFile());
			const address = path.split(sep).map(encode).join('/');
			return { code: code.replaceAll(STORE_ADDRESS, address), map: null };
		},
	};
}

/** Encodes a part of a path, for an address within quotes of any kind. */
function encode(part: string): string {
	return encodeURIComponent(part).replaceAll("'", '%27');
}
