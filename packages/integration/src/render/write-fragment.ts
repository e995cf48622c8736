import type { Component, Piece, StoredData } from './component.js';
import { COMPONENTS } from './components.js';
import type { Fragment, FragmentRequest, FragmentSettings } from './fragment.js';

/** The component of a request. @throws TypeError if there is no such component. */
export function componentOf({ component }: FragmentRequest): Component {
	if (Object.hasOwn(COMPONENTS, component))
		return COMPONENTS[component as keyof typeof COMPONENTS] as unknown as Component;
	throw new TypeError(`There is no component <${component}>.`);
}

/** The part of a request that determines its {@link Piece}. */
export function sharedRequest(request: FragmentRequest): FragmentRequest {
	return componentOf(request).shared?.(request) ?? request;
}

/** Writes the piece of a request. @throws TypeError for an invalid prop. */
export function writePiece(
	stored: StoredData[keyof StoredData] | undefined,
	request: FragmentRequest,
	settings: FragmentSettings,
): Piece {
	return componentOf(request).write(stored as never, sharedRequest(request), settings);
}

/** Makes the fragment of one page from the piece of its request. */
export function finishFragment(piece: Piece, request: FragmentRequest): Fragment {
	return componentOf(request).finish?.(piece, request) ?? piece;
}

/**
 * Writes a fragment: a pure function of what is stored about a product, the request and the site's settings.
 * @param stored `undefined` if nothing is known about the product.
 * @throws TypeError for an invalid prop.
 */
export function writeFragment(
	stored: StoredData[keyof StoredData] | undefined,
	request: FragmentRequest,
	settings: FragmentSettings,
): Fragment {
	return finishFragment(writePiece(stored, request, settings), request);
}
