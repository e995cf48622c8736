import { digestOfFragment } from '../pages/page-row.js';
import {
	addressComment,
	addressOf,
	betweenComments,
	END_COMMENT,
	isBetweenComments,
	keyOfRequest,
	withAddress,
} from '../render/address.js';
import type { Fragment, FragmentRequest } from '../render/fragment.js';

export interface Edit {
	readonly start: number;
	readonly end: number;
	readonly html: string;
}

export interface CurrentFragment {
	readonly pid: string;
	readonly request: FragmentRequest;
	readonly fragment: Fragment;
	readonly times: number;
	/** Digests of everything that the file may hold here. */
	readonly held: readonly string[];
}

/** The contents of a file as a string with one letter for each byte, so that positions are those of bytes. */
export function textOf(contents: Buffer): string {
	return contents.toString('latin1');
}

export function applyEdits(text: string, edits: readonly Edit[]): Buffer {
	const pieces: string[] = [];
	let position = 0;
	for (const { start, end, html } of edits.toSorted((one, other) => one.start - other.start)) {
		pieces.push(text.slice(position, start), html);
		position = end;
	}
	return Buffer.from(pieces.join('') + text.slice(position), 'latin1');
}

export type NotReplaceable = 'changed' | 'section' | 'uncommented';

/**
 * Finds the elements of a fragment in a page.
 * @returns an edit for each that is not the same already; `'changed'` if its addresses are not found as often as the page shows
 * it, or the html is not what the component wrote, `'section'` if a `<ReviewSection>` with slots appears or disappears, and
 * `'uncommented'` if a comment is gone that stood where there was nothing to show.
 */
export function editFragment(text: string, current: CurrentFragment): readonly Edit[] | NotReplaceable {
	const { pid, request, fragment, times, held } = current;
	const key = keyOfRequest(request);
	const { html, parts } = fragment;
	const isBetween = isBetweenComments(request);
	const edits: Edit[] = [];
	/** The texts of the parts, or that of the whole, at each place. */
	const found = Array.from({ length: times }, () => new Map<string, string>());
	for (const [part, now] of Object.entries(parts ?? { '': html })) {
		const address = addressOf(pid, key, parts && part);
		const elements = isBetween
			? findAll(text, addressComment(address), textBetween)
			: findAll(text, address, elementAt);
		if (elements?.length !== times) return elements?.length === 0 ? whyMissing(text, current) : 'changed';
		const written = Buffer.from(withAddress(now, address, isBetween)).toString('latin1');
		for (const [index, { start, end }] of elements.entries()) {
			const element = text.slice(start, end);
			if (element !== written) edits.push({ start, end, html: written });
			found[index]?.set(part, withoutAddress(element, address, isBetween));
		}
	}
	const isAsWritten = found.every((texts) => {
		const asParts = { html: '', parts: Object.fromEntries(texts) };
		return held.includes(digestOfFragment(parts ? asParts : { html: texts.get('') ?? '' }));
	});
	return isAsWritten ? edits : 'changed';
}

/** Says why an element is nowhere in a page. */
function whyMissing(text: string, { pid, request, fragment, held }: CurrentFragment): NotReplaceable {
	const key = keyOfRequest(request);
	const whole = text.includes(addressOf(pid, key));
	const inParts = text.includes(addressOf(pid, `${key}.`).slice(0, -1));
	if (fragment.parts ? whole : inParts && request.props['slots'] !== undefined) return 'section';
	// Other parts are there, so the one that is not was a comment.
	if (inParts) return 'uncommented';
	const isEmpty = fragment.html === '' && !fragment.parts;
	// An address in other quotes or letters is no comment that was removed.
	const isAltered = text.toLowerCase().includes(addressOf(pid, key).toLowerCase().split('"')[1] ?? '');
	return !isEmpty && held.includes(digestOfFragment({ html: '' })) && !isAltered ? 'uncommented' : 'changed';
}

function withoutAddress(element: string, address: string, isBetween: boolean): string {
	if (isBetween) return Buffer.from(betweenComments(element, address), 'latin1').toString();
	if (element.startsWith(COMMENT)) return '';
	return Buffer.from(element.replace(` ${address}`, ''), 'latin1').toString();
}

type Element = Omit<Edit, 'html'>;

/** Finds what stands at each place of a text; `undefined` if one of them has nothing that can be replaced. */
function findAll(
	text: string,
	wanted: string,
	find: (text: string, at: number, wanted: string) => Element | undefined,
): readonly Element[] | undefined {
	const elements: Element[] = [];
	for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
		const element = find(text, at, wanted);
		if (!element) return undefined;
		elements.push(element);
	}
	return elements;
}

/** Finds text between two comments. Within it, a stranger may have written an address, but no comment. */
function textBetween(text: string, start: number): Element | undefined {
	const end = text.indexOf(END_COMMENT, start);
	return end < 0 ? undefined : { start, end: end + END_COMMENT.length };
}

const COMMENT = '<!--';

function elementAt(text: string, at: number, address: string): Element | undefined {
	const start = text.lastIndexOf('<', at);
	if (start === at - COMMENT.length && text.startsWith(`${COMMENT}${address}-->`, start)) {
		return { start, end: at + address.length + '-->'.length };
	}
	TAG.lastIndex = start;
	const tag = TAG.exec(text);
	if (tag?.index !== start || tag[1] !== '' || TAG.lastIndex <= at) return undefined;
	const end = endOf(text, tag[2] ?? '', TAG.lastIndex);
	return end === undefined ? undefined : { start, end };
}

/** A comment, or a tag: whether it ends an element, and its name. */
const TAG = /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9-]*)(?=[\s>/])(?:"[^"]*"|'[^']*'|[^"'>])*>/gi;

/**
 * Walks to the end tag of an element by counting the tags of its name. All that strangers wrote is escaped, so it has
 * no tags.
 */
function endOf(text: string, name: string, position: number): number | undefined {
	if (name.toLowerCase() === 'script') {
		const end = text.indexOf('</script>', position);
		return end < 0 ? undefined : end + '</script>'.length;
	}
	TAG.lastIndex = position;
	let depth = 1;
	for (let tag = TAG.exec(text); tag; tag = TAG.exec(text)) {
		if (tag[2]?.toLowerCase() !== name.toLowerCase()) continue;
		depth += tag[1] === '' ? 1 : -1;
		if (depth === 0) return TAG.lastIndex;
	}
	return undefined;
}
