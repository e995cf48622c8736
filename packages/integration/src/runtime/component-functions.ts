import type { FullReview } from '../parse/record.js';
import type { StoredData } from '../render/component.js';
import {
	type Fragment,
	type FragmentRequest,
	type FragmentSettings,
	isPlainRequest,
	withoutUndefined,
} from '../render/fragment.js';
import { type Facts, formDataAuthors, pageAddress } from '../render/parts.js';
import { listFacts } from '../render/review-data/parts.js';
import { type ReviewListProps, renderFullReviewList } from '../render/review-data/render-full-review-list.js';
import {
	type ReviewSectionProps,
	type SectionParts,
	type SectionSlot,
	sectionAttributes,
} from '../render/review-data/render-review-section.js';
import { selectFullReviews } from '../render/review-data/review-filter.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import { type PageContext, type PageSource, type ReviewSource, when } from './page-source.js';
import { checkProductId } from './runtime.js';

/** The functions that components call. */
export interface ComponentFunctions {
	/**
	 * The html of a component on one line; empty if there is nothing to show. A promise only if the page has to wait for it.
	 * @param page `Astro`
	 * @throws TypeError for an invalid prop. Like all its errors, it is a rejection.
	 */
	fragmentHtml(component: string, props: ComponentProps, page: PageContext): string | Promise<string>;
	/** The html of a `<ReviewList>` whose reviews the page writes itself. */
	ownListHtml(
		props: ReviewListProps,
		page: PageContext,
		own: (review: FullReview) => Promise<string>,
	): Promise<string>;
	/**
	 * The parts of a `<ReviewSection>` with slots; `undefined` if there is nothing to show.
	 * @param slots what the page writes itself.
	 */
	reviewSectionParts(
		props: ReviewSectionProps,
		page: PageContext,
		slots: readonly SectionSlot[],
	): Promise<
		(Partial<SectionParts> & { readonly attributes: Readonly<Record<string, unknown>> }) | undefined
	>;
}

type ComponentProps = Readonly<Record<string, unknown>>;

export function createComponentFunctions(
	{ find, ask }: PageSource,
	settings: FragmentSettings,
): ComponentFunctions {
	const placeAll = async (source: ReviewSource | undefined, pid: string, facts: readonly Facts[]) => {
		for (const one of facts) await source?.place({ ...one, pid });
	};
	const optionsFor = ({ currentLocale = 'en' }: PageContext) => ({ ...settings, language: currentLocale });
	const writeHere = async (source: ReviewSource, pid: string, request: FragmentRequest) => {
		const stored = await LOADERS[componentOf(request).from](source, pid);
		const fragment = writeFragment(stored, request, settings);
		await placeAll(source, pid, fragment.facts);
		return fragment;
	};
	const fragmentOf = (
		component: string,
		{ pid: given, ...props }: ComponentProps,
		page: PageContext,
	): Fragment | Promise<Fragment> => {
		const { from, isAddressed } = componentOf({ component, props });
		const pid = checkProductId(given, `<${component}>`);
		const request: FragmentRequest = {
			component,
			props: withoutUndefined(props),
			language: page.currentLocale,
			...(isAddressed && { address: pageAddress(page) }),
		};
		const fragment = ask(from, pid, page, (source) =>
			source.getFragment && isPlainRequest(request)
				? source.getFragment(pid, request)
				: writeHere(source, pid, request),
		);
		return when(fragment, (known) => known ?? writeFragment(undefined, request, settings));
	};
	return {
		fragmentHtml(component, props, page) {
			try {
				return when(fragmentOf(component, props, page), ({ html }) => html);
			} catch (error) {
				// If a component throws, Astro does not handle promises of earlier ones, and their errors would end the process.
				return Promise.reject(error);
			}
		},
		async ownListHtml({ pid: given, ...props }, page, own) {
			const pid = checkProductId(given, '<ReviewList>');
			const data = await ask('review-data', pid, page, (source) => source.getReviewData(pid));
			const formed = data && formDataAuthors(data, settings.author);
			const written = await Promise.all(selectFullReviews(formed?.reviews ?? [], props).map(own));
			const { html, shown } = renderFullReviewList(formed, props, optionsFor(page), written);
			await placeAll(find(page), pid, listFacts(formed, shown, props));
			return html;
		},
		async reviewSectionParts(props, page, slots) {
			const { parts } = await fragmentOf('ReviewSection', { ...props, slots }, page);
			if (!parts) return undefined;
			const { pid: _pid, ...others } = props;
			return { ...parts, attributes: sectionAttributes(others, optionsFor(page)) };
		},
	};
}

const LOADERS: {
	readonly [From in keyof StoredData]: (
		source: ReviewSource,
		pid: string,
	) => Promise<StoredData[From] | undefined>;
} = {
	reviews: (source, pid) => source.getProductReviews(pid),
	'review-data': (source, pid) => source.getReviewData(pid),
	rating: async (source, pid) => ({ aggregate: await source.getStarRating(pid) }),
};
