import { readFile } from 'node:fs/promises';

/** A file for each product, such as `reviews/p-1.json`. */
export default {
	name: 'json-files',
	async reviews(pid) {
		const file = new URL(`./reviews/${encodeURIComponent(pid)}.json`, import.meta.url);
		try {
			return JSON.parse(await readFile(file, 'utf8'));
		} catch (error) {
			if (error.code === 'ENOENT') return null;
			throw error;
		}
	},
};
