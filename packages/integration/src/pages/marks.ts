import { isDeepStrictEqual } from 'node:util';
import type { Fragment } from '../render/fragment.js';
import type { Dependency } from './page.js';

/** Where a fragment, or a part of one, stands in the file of its page. */
export interface Place {
	/** Which of the page's dependencies it is, counted from 0. */
	readonly dependency: number;
	/** Name of the part; `undefined` for a whole fragment. */
	readonly part?: string | undefined;
	/** Bytes before it. */
	readonly offset: number;
	/** Its bytes. */
	readonly length: number;
}

/** The html that a page was given to place, by the name in its mark. */
export type MarkedHtml = Map<string, string>;

/** Puts marks around fragments while pages are rendered, to find out where they end up. */
export interface Marks {
	/**
	 * The fragment as a page gets it: with marks.
	 * @param dependency number of the page's dependency.
	 * @param given collects what the page was given.
	 */
	put(fragment: Fragment, dependency: number, given: MarkedHtml): Fragment;
	/**
	 * Takes the marks out of a rendered page.
	 * @returns `undefined` unless everything that the page was given is there, and unchanged.
	 */
	take(
		page: Buffer,
		given: MarkedHtml,
	): { readonly body: Buffer<ArrayBuffer>; readonly places: readonly Place[] } | undefined;
}

/**
 * What sites change in html: letters, quotes, white space, references, links, pictures. It is in each mark, so that a page
 * that changes any of it does not bring the marks back, even if what it shows now has none of it.
 */
const PROBE = ` "'&amp;&\\ Aé\n\n\t  <a href="http://a.example"><img src='a'><br/><p></p>`;

/**
 * @param nonce letters and digits that nobody can guess: a review that contains a mark must not be taken for one.
 */
export function createMarks(nonce: string): Marks {
	const start = Buffer.from(`<!--${nonce} `);
	const startEnd = Buffer.from(`${PROBE}-->`);
	const end = Buffer.from(`<!--${nonce}-->`);
	const around = (name: string, html: string, given: MarkedHtml) => {
		given.set(name, html);
		return `<!--${nonce} ${name}${PROBE}-->${html}<!--${nonce}-->`;
	};

	return {
		put(fragment, dependency, given) {
			const { html, parts } = fragment;
			if (!parts) return { ...fragment, html: around(String(dependency), html, given) };
			const marked = Object.entries(parts).map(([part, text]) => [
				part,
				around(`${dependency} ${part}`, text, given),
			]);
			return { ...fragment, parts: Object.fromEntries(marked) };
		},
		take(page, given) {
			const kept: Buffer[] = [];
			const places: Place[] = [];
			const found = new Set<string>();
			let offset = 0;
			let position = 0;
			for (let at = page.indexOf(start); at >= 0; at = page.indexOf(start, position)) {
				const nameEnd = page.indexOf(startEnd, at);
				const textAt = nameEnd + startEnd.length;
				const endAt = page.indexOf(end, textAt);
				if (nameEnd < 0 || endAt < 0) return undefined;
				const name = page.toString('latin1', at + start.length, nameEnd);
				const text = page.subarray(textAt, endAt);
				if (given.get(name) !== text.toString()) return undefined;
				kept.push(page.subarray(position, at), text);
				offset += at - position;
				places.push({ ...readName(name), offset, length: text.length });
				offset += text.length;
				found.add(name);
				position = endAt + end.length;
			}
			kept.push(page.subarray(position));
			const body = Buffer.concat(kept);
			return found.size === given.size && !body.includes(nonce) ? { body, places } : undefined;
		},
	};
}

function readName(name: string): Pick<Place, 'dependency' | 'part'> {
	const [dependency, part] = name.split(' ');
	return { dependency: Number(dependency), ...(part !== undefined && { part }) };
}

/** A page without its marks. */
interface TakenPage {
	readonly body: Buffer;
	readonly places: readonly Place[];
	/** In the order in which they came, which may be another one in each rendering. */
	readonly dependencies: readonly Dependency[];
}

/** What stands in a trial where there is nothing: whoever changes html changes some of it. */
const SOMETHING = `<p class="a">Aé "'&amp;&#39;<a href="http://a.example/?b&amp;c">B</a><img src="/a.jpg" alt=""></p>`;

/**
 * Gives a page something where there is nothing, and nothing where there is something. A page that only places what it is
 * given is otherwise the same.
 */
export function createTrial(marks: Marks): Marks {
	return {
		...marks,
		put({ html, parts, facts }, ...rest) {
			if (!parts) return html === '' ? marks.put({ html: SOMETHING, facts }, ...rest) : { html: '', facts };
			const texts = Object.entries(parts);
			const empty = texts.filter(([, text]) => text === '').map(([part]) => [part, SOMETHING]);
			const marked = marks.put({ html: '', facts, parts: Object.fromEntries(empty) }, ...rest);
			const nothing = Object.fromEntries(texts.map(([part]) => [part, '']));
			return { html: '', facts, parts: { ...nothing, ...marked.parts } };
		},
	};
}

/** Whether a page is otherwise the same in a trial. */
export function isSameInTrial(page: TakenPage, trial: TakenPage): boolean {
	const empty = page.places.filter(({ length }) => length === 0);
	const [own, others] = [ownText(page), ownText(trial)];
	return (
		own.text.equals(others.text) && isDeepStrictEqual(own.placesOf(empty), others.placesOf(trial.places))
	);
}

/** The page without its places, and where they would be in it. */
function ownText({ body, places, dependencies }: TakenPage) {
	const kept: Buffer[] = [];
	const offsets = new Map<Place, number>();
	let position = 0;
	let taken = 0;
	for (const place of places) {
		kept.push(body.subarray(position, place.offset));
		offsets.set(place, place.offset - taken);
		position = place.offset + place.length;
		taken += place.length;
	}
	kept.push(body.subarray(position));
	return {
		text: Buffer.concat(kept),
		placesOf: (some: readonly Place[]) =>
			some.map((place) => {
				const { pid, request } = dependencies[place.dependency] ?? {};
				return [pid, request, place.part, offsets.get(place)] as const;
			}),
	};
}
