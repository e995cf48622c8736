import { isDeepStrictEqual } from 'node:util';
import type { Dependency } from './dependency.js';
import type { Marks, Place } from './marks.js';

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
