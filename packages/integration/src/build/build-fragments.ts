import type { Fragment, FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import { digestOf } from '../store/pack.js';
import type { FinishedPieces } from './finished-pieces.js';
import type { From, ProductData } from './product-data.js';

/** Returns a fragment, from a stored piece or newly written. */
export type FragmentOf = (pid: string, request: FragmentRequest, from: From) => Promise<Fragment>;

/** @param finished pieces of fragments in the store; `undefined` to write every fragment anew. */
export function createFragments(
	data: ProductData,
	settings: FragmentSettings,
	finished: FinishedPieces | undefined,
): FragmentOf {
	return async (pid, request, from) => {
		const of = componentOf(request).from;
		if (!finished || of === 'rating') return writeFragment(await data.load(of, pid, from), request, settings);
		const found = (await data.settle(of, pid)) && finished.find(of, pid, request);
		if (found) return found;
		const stored = await data.load(of, pid, from);
		return stored ? finished.write(of, pid, stored, request) : writeFragment(stored, request, settings);
	};
}

/** A digest that changes exactly when the html of the fragment does. */
export function digestOfFragment({ html, parts }: Fragment): string {
	return digestOf(parts ? JSON.stringify(parts) : html);
}
