import type { Fragment, FragmentRequest } from './fragment.js';

const ADDRESS = 'data-pr';

/** In letters: two requests of one page with the same key would be one in 10^11. */
const KEY_LENGTH = 8;

/** Names a request. The same request has the same key in every build, process and runtime. */
export function keyOfRequest({ component, props, language, address }: FragmentRequest): string {
	return hashText(JSON.stringify([component, props, language, address])).padStart(KEY_LENGTH, '0');
}

/**
 * Writes the address of a fragment as an attribute of its root element.
 * @param part of a `<ReviewSection>` that the page places itself.
 * @example addressOf('p-1', '1k8f03xa') // 'data-pr="p-1 1k8f03xa"'
 */
export function addressOf(pid: string, key: string, part?: string): string {
	const name = part === undefined ? key : `${key}.${part}`;
	// A comment with it ends where it should, because ">" is encoded.
	return `${ADDRESS}="${encodeURIComponent(pid.toWellFormed())} ${name}"`;
}

/** Writes the address into the root element of a fragment, or into a comment if there is nothing to show. */
export function withAddress(html: string, address: string): string {
	if (html === '') return `<!--${address}-->`;
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
	if (!parts) return { ...fragment, html: withAddress(html, addressOf(pid, key)) };
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
