import type { GivenLabels } from '../labels/labels.js';
import type { AuthorForm, Facts } from './parts.js';
import type { RenderOptions } from './render-options.js';

/** What a component writes for a product. */
export interface Fragment {
	/** On one line; empty if there is nothing to show. */
	readonly html: string;
	/** Html of each part of a `<ReviewSection>` that the page places around its slots. `html` is then empty. */
	readonly parts?: Readonly<Record<string, string>> | undefined;
	readonly facts: readonly Facts[];
}

/**
 * One use of a component. Together with the product's data and the settings, it determines every byte of the fragment.
 */
export interface FragmentRequest {
	/** Its name in Astro, such as `ProductReviews`. */
	readonly component: string;
	/** Props, without the product id. */
	readonly props: Readonly<Record<string, unknown>>;
	/** BCP 47 tag of the page's language. @default 'en' */
	readonly language?: string | undefined;
	/** Canonical address of the page, for structured data; `undefined` if unknown. */
	readonly address?: string | undefined;
}

/** The site's settings for all fragments. */
export interface FragmentSettings {
	readonly display: RenderOptions['display'];
	readonly labels: GivenLabels;
	/** Whose reviews count as the store's own in structured data. @default everyone's */
	readonly publishers?: readonly string[] | undefined;
	/** How much of an author's name pages show. @default 'full' */
	readonly author?: AuthorForm | undefined;
}

/**
 * Whether a request can be sent as JSON to another thread, another process, or the store. One with a function or a
 * `Date` among its props cannot.
 */
export function isPlainRequest({ props }: FragmentRequest): boolean {
	return isPlain(props);
}

function isPlain(value: unknown): boolean {
	if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'string')
		return true;
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value !== 'object') return false;
	if (Array.isArray(value)) return value.every((item) => item !== undefined && isPlain(item));
	const prototype = Object.getPrototypeOf(value);
	return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}

/** Props as they are after they were kept as JSON, so that a page is written the same then: `undefined` is left out. */
export function withoutUndefined<Props extends object>(props: Props): Props {
	const entries = Object.entries(props).flatMap(([name, value]) => {
		if (value === undefined) return [];
		return [[name, isObject(value) ? withoutUndefined(value) : value] as const];
	});
	return Object.fromEntries(entries) as Props;
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
