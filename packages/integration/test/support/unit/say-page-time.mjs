import { writeSync } from 'node:fs';
import { ReviewCache } from '../../../dist/cache/open-cache.js';
import { BuildPages } from '../../../dist/session/pages.js';

// Says at the end how long the process kept pages so that they can be updated, and wrote them, in milliseconds.
let [milliseconds, depth] = [0, 0];
const { pages } = ReviewCache.prototype;
ReviewCache.prototype.pages = function () {
	const { html, ...table } = pages.call(this);
	// That html is read spares a build to write it: it has nothing to do with updates.
	const untimed = (name) => {
		const startedAt = performance.now();
		const text = html(name);
		milliseconds -= performance.now() - startedAt;
		return text;
	};
	return { ...table, html: untimed };
};
for (const [{ prototype }, methods] of [
	[BuildPages, ['of', 'keepIdle', 'finish']],
	[ReviewCache, ['flush']],
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
