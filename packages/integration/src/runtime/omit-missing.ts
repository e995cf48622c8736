import { isPromise } from './is-promise.js';
import { NO_SOURCE_MARK, NoReviewSourceError } from './no-source.js';
import type { Runtime } from './runtime.js';

/**
 * The same functions for a site whose option `onError` is `'omit'`: a page that cannot reach a source is built without
 * reviews. Components leave a mark in it so that the build can count such pages.
 */
export function omitMissing(runtime: Runtime): Runtime {
	const entries = Object.entries(runtime).map(([name, call]) => [
		name,
		// All errors of functions that use a source are rejections.
		(...args: unknown[]) => {
			const result: unknown = (call as (...args: unknown[]) => unknown)(...args);
			if (!isPromise(result)) return result;
			return result.catch((error: unknown) => {
				if (error instanceof NoReviewSourceError) return missing(name as keyof Runtime, args);
				throw error;
			});
		},
	]);
	return Object.fromEntries(entries);
}

function missing(name: keyof Runtime, args: readonly unknown[]): unknown {
	if (name.endsWith('Html')) return NO_SOURCE_MARK;
	if (name === 'reviewSectionParts') return MISSING_SECTION;
	if (name === 'reviewEntry') return { data: undefined, changedAt: undefined };
	if (name === 'reviewsCacheKey') return `${args[1] ?? ''} reviews:none`;
	return undefined;
}

const MISSING_SECTION = {
	attributes: {},
	heading: NO_SOURCE_MARK,
	summary: '',
	topics: '',
	media: '',
	reviews: '',
	questions: '',
} satisfies Awaited<ReturnType<Runtime['reviewSectionParts']>>;
