import { type Dependency, digestOfFragment } from '../../../src/pages/page.js';
import { addressFragment } from '../../../src/render/address.js';
import type { Fragment } from '../../../src/render/fragment.js';
import { digestOf } from '../../../src/store/values.js';
import type { CurrentContents } from '../../../src/update/update-pages.js';

/** A piece of a page: its own text, a fragment, the parts of a section, own markup, or a fragment that the page changes. */
export type SitePiece =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'fragment'; readonly pid: string; readonly variant: number }
	| { readonly kind: 'section' | 'own' | 'changed'; readonly pid: string };

/** The pages of a site by their paths, and the text of each product, which may be empty. */
export interface SiteModel {
	readonly pages: ReadonlyMap<string, readonly SitePiece[]>;
	readonly products: ReadonlyMap<string, string>;
}

/** Records what a page shows. */
export type Show = (dependency: Dependency) => void;

type Product = SiteModel['products'];

const textOf = (products: Product, pid: string) => products.get(pid) ?? '';

/** What own markup shows of a text. */
const own = (text: string) => String(text.length);

/** What components write about a text. One shows little of it, as stars do, and is often the same for two products. */
function fragmentOf(given: string, request: Dependency['request']): Fragment {
	const facts: Fragment['facts'] = [];
	if (given === '') return { html: '', facts };
	const text = given.replace(/[<>&"]/g, (character) => `&#${character.codePointAt(0)};`);
	if (request?.component === 'Section') {
		const rest = [...given].length > 1 ? `<div><div>${text}</div></div>` : '';
		return { html: '', facts, parts: { heading: `<h2>${text}</h2>`, reviews: rest } };
	}
	const html = [`<p title="${text}"><p>${text}</p></p>`, `<b>${text}</b>`, `<i>${given.length % 2}</i>`];
	return { html: html[Number(request?.props['variant'])] ?? '', facts };
}

function requestOf(piece: SitePiece): Dependency['request'] {
	if (piece.kind === 'own' || piece.kind === 'text') return undefined;
	if (piece.kind === 'section') return { component: 'Section', props: { slots: ['after'] } };
	return { component: 'Fragment', props: { variant: piece.kind === 'fragment' ? piece.variant : 0 } };
}

/** The html of a piece. */
export function writePiece(piece: SitePiece, products: Product, show: Show = () => {}): string {
	if (piece.kind === 'text') return piece.text;
	const text = textOf(products, piece.pid);
	const of = { pid: piece.pid, from: 'reviews', version: digestOf(text) } as const;
	const request = requestOf(piece);
	if (!request) {
		show({ ...of, digest: own(text) });
		return `<p>${own(text)}</p>`;
	}
	const fragment = fragmentOf(text, request);
	show({ ...of, request, digest: digestOfFragment(fragment) });
	const { html, parts } = addressFragment(fragment, piece.pid, request);
	if (piece.kind === 'changed') return html.replaceAll('a', 'b').toUpperCase();
	return parts ? `<section>${parts['heading']}<hr>${parts['reviews']}</section>` : html;
}

/** What the service says about the products. @param failing those for which it fails */
export function contentsOf(products: Product, failing: ReadonlySet<string>): CurrentContents {
	return {
		isKnown: async ({ pid }) => !failing.has(pid),
		versionOf: async ({ pid }) => digestOf(textOf(products, pid)),
		isSameData: async ({ pid, digest }) => own(textOf(products, pid)) === digest,
		fragmentOf: async ({ pid, request }) => {
			const fragment = fragmentOf(textOf(products, pid), request);
			return { fragment, digest: digestOfFragment(fragment) };
		},
	};
}
