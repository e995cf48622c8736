import type { Fragment, FragmentRequest } from './fragment.js';

const ADDRESS = 'data-pr';

/** In letters: two requests of one page with the same key would be one in 10^11. */
const KEY_LENGTH = 8;

/** Names a request. The same request has the same key in every build, process and runtime. */
export function keyOfRequest({ component, props, language, address }: FragmentRequest): string {
	return hashText(JSON.stringify([component, props, language, address])).padStart(KEY_LENGTH, '0');
}

/** Names a component on its page, for the ids of what it opens. Two that are the same open the same. */
export function idOfRequest(pid: string, request: FragmentRequest): string {
	return `pr-${hashText(`${pid} ${keyOfRequest(request)}`)}-`;
}

/**
 * Writes the address of a fragment, as an attribute of its root element or in a comment.
 * @param part of a `<ReviewSection>` that the page places itself.
 * @example addressOf('p-1', '1k8f03xa') // 'data-pr="p-1 1k8f03xa"'
 */
export function addressOf(pid: string, key: string, part?: string): string {
	const name = part === undefined ? key : `${key}.${part}`;
	// A comment with it ends where it should, because ">" is encoded.
	return `${ADDRESS}="${encodeURIComponent(pid.toWellFormed())} ${name}"`;
}

/** Returns whether a request is for text between two comments: Markdown has no element that could have an address. */
export function isBetweenComments({ component }: Pick<FragmentRequest, 'component'>): boolean {
	return component === 'Markdown';
}

/** Ends a fragment between comments. Texts of strangers cannot contain it: in Markdown, "<" and ">" are escaped. */
export const END_COMMENT = `<!--/${ADDRESS}-->`;

/** Begins a fragment between comments, or stands where a component has nothing to show. */
export function addressComment(address: string): string {
	return `<!--${address}-->`;
}

/** Keeps what comes before a comment from continuing in its line. */
const GAP = '\n\n';

/** Returns the text between the comments of an address. */
export function betweenComments(text: string, address: string): string {
	return text.slice(addressComment(address).length + GAP.length, -(GAP.length + END_COMMENT.length));
}

/** Writes the address into the root element of a fragment, or into comments around it or in its place. */
export function withAddress(html: string, address: string, isBetween = false): string {
	if (isBetween) return addressComment(address) + GAP + html + GAP + END_COMMENT;
	if (html === '') return addressComment(address);
	// Values of attributes are escaped, so this is the end of the start tag.
	const end = html.indexOf('>');
	return `${html.slice(0, end)} ${address}${html.slice(end)}`;
}

/**
 * Returns the fragment as pages show it: with its address, or with an address in each part of a `<ReviewSection>` that the
 * page places.
 */
export function addressFragment(fragment: Fragment, pid: string, request: FragmentRequest): Fragment {
	const key = keyOfRequest(request);
	const { html, parts } = fragment;
	if (!parts)
		return { ...fragment, html: withAddress(html, addressOf(pid, key), isBetweenComments(request)) };
	const addressed = Object.entries(parts).map(([part, text]) => [
		part,
		withAddress(text, addressOf(pid, key, part)),
	]);
	return { ...fragment, parts: Object.fromEntries(addressed) };
}

/** Returns a hash with 53 bits, without Node: cyrb53 by bryc, public domain. */
function hashText(text: string): string {
	let one = 0xdeadbeef;
	let other = 0x41c6ce57;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		one = Math.imul(one ^ code, 2_654_435_761);
		other = Math.imul(other ^ code, 1_597_334_677);
	}
	one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
	other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
	return (4_294_967_296 * (2_097_151 & other) + (one >>> 0)).toString(36).slice(0, KEY_LENGTH);
}
