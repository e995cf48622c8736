import type { Fragment, FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import { digestOf } from '../store/pack.js';
import type { Resource } from '../store/review-store.js';
import type { FinishedPieces } from './finished-pieces.js';
import type { From, ProductData } from './product-data.js';

/** Returns a fragment, from a stored piece or newly written. A promise only if it has to be waited for. */
export type FragmentOf = (pid: string, request: FragmentRequest, from: From) => Fragment | Promise<Fragment>;

/** @param finished pieces of fragments in the store; `undefined` to write every fragment anew. */
export function createFragments(
	data: ProductData,
	settings: FragmentSettings,
	finished: FinishedPieces | undefined,
): FragmentOf {
	const write = async (pid: string, request: FragmentRequest, from: From) =>
		writeFragment(await data.load(componentOf(request).from, pid, from), request, settings);
	const finish = async (pieces: FinishedPieces, of: Resource, pid: string, request: FragmentRequest) => {
		const found = (await data.settle(of, pid)) && pieces.find(of, pid, request);
		if (found) return found;
		const stored = await data.load(of, pid, of);
		return stored ? pieces.write(of, pid, stored, request) : writeFragment(stored, request, settings);
	};
	return (pid, request, from) => {
		const of = componentOf(request).from;
		if (!finished || of === 'rating') return write(pid, request, from);
		const found = data.isSettled(of, pid) ? finished.find(of, pid, request) : undefined;
		return found ?? finish(finished, of, pid, request);
	};
}

/** A digest that changes exactly when the html of the fragment does. */
export function digestOfFragment({ html, parts }: Fragment): string {
	return digestOf(parts ? JSON.stringify(parts) : html);
}
