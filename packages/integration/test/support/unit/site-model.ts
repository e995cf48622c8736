import type { Dependency } from '../../../src/pages/page.js';
import type { CurrentContents } from '../../../src/publish/plan-page.js';
import type { Fragment } from '../../../src/render/fragment.js';
import { digestOfFragment } from '../../../src/session/source.js';
import { digestOf } from '../../../src/store/values.js';

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

/** Records what a page shows. @returns the fragment as the page gets it. */
export type Show = (dependency: Dependency, fragment: Fragment) => Fragment;

type Product = SiteModel['products'];

const textOf = (products: Product, pid: string) => products.get(pid) ?? '';

/** What own markup shows of a text. */
const own = (text: string) => String(text.length);

/** What components write about a text. One shows little of it, as stars do, and is often the same for two products. */
function fragmentOf(text: string, request: Dependency['request']): Fragment {
	if (text === '') return { html: '', facts: [] };
	if (request?.component === 'Section')
		return {
			html: '',
			facts: [],
			parts: { heading: `<h2>${text}</h2>`, reviews: [...text].slice(1).join('') },
		};
	return {
		html: [text, `<b>${text}</b>`, `*${text.length % 2}`][Number(request?.props['variant'])] ?? '',
		facts: [],
	};
}

function requestOf(piece: SitePiece): Dependency['request'] {
	if (piece.kind === 'own' || piece.kind === 'text') return undefined;
	if (piece.kind === 'section') return { component: 'Section', props: { slots: ['after'] } };
	return { component: 'Fragment', props: { variant: piece.kind === 'fragment' ? piece.variant : 0 } };
}

/** The html of a piece. */
export function writePiece(
	piece: SitePiece,
	products: Product,
	show: Show = (_, fragment) => fragment,
): string {
	if (piece.kind === 'text') return piece.text;
	const text = textOf(products, piece.pid);
	const of = { pid: piece.pid, from: 'reviews', version: digestOf(text) } as const;
	const request = requestOf(piece);
	const fragment = fragmentOf(text, request);
	if (!request) {
		show({ ...of, digest: own(text) }, fragment);
		return `<p>${own(text)}</p>`;
	}
	const { html, parts } = show({ ...of, request, digest: digestOfFragment(fragment) }, fragment);
	if (piece.kind === 'changed') return html.replaceAll('a', 'b').toUpperCase();
	if (piece.kind !== 'section') return html;
	return parts ? `<section>${parts['heading']}<hr>${parts['reviews']}</section>` : '';
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
