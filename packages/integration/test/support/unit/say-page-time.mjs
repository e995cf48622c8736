import { writeSync } from 'node:fs';
import { PageStore } from '../../../dist/cache/page-store.js';
import { BuildPages } from '../../../dist/pages/build-pages.js';

// Says at the end how long the process kept pages so that they can be updated, and wrote them, in milliseconds.
let [milliseconds, depth] = [0, 0];
for (const [{ prototype }, methods] of [
	[BuildPages, ['of', 'keepIdle', 'finish', 'end']],
	[PageStore, ['get', 'put', 'flush']],
]) {
	for (const method of methods) {
		const own = prototype[method];
		prototype[method] = function (...given) {
			const startedAt = performance.now();
			depth += 1;
			try {
				return own.apply(this, given);
			} finally {
				depth -= 1;
				if (depth === 0) milliseconds += performance.now() - startedAt;
			}
		};
	}
}
process.once('exit', () => writeSync(2, `PAGES ${Math.round(milliseconds)}\n`));
