import { InvalidPropError } from '../errors.js';
import type { Review } from '../parse/record.js';
import { addressFragment } from '../render/address.js';
import {
	type Facts,
	type Fragment,
	type FragmentRequest,
	type FragmentSettings,
	isPlainRequest,
	pageAddress,
	type StoredData,
	withoutUndefined,
} from '../render/fragment.js';
import { type ReviewListProps, writeReviewList } from '../render/render-review-list.js';
import {
	type ReviewSectionProps,
	type SectionParts,
	type SectionSlot,
	sectionAttributes,
} from '../render/render-section.js';
import { selectReviews } from '../render/select-reviews.js';
import { componentOf, writeFragment } from '../render/write-fragment.js';
import { formAuthors } from '../text/author.js';
import { isPromise, type PageContext, type PageSource, type ReviewSource, when } from './page-source.js';
import { checkProductId } from './runtime.js';

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
		own: (review: Required<Review>) => Promise<string>,
	): Promise<string>;
	/**
	 * The parts of a `<ReviewSection>` with slots.
	 * @param slots what the page writes itself.
	 */
	reviewSectionParts(
		props: ReviewSectionProps,
		page: PageContext,
		slots: readonly SectionSlot[],
	): Promise<PlacedSection>;
}

type PlacedSection =
	| { readonly html: string; readonly attributes?: undefined }
	| (Partial<SectionParts> & {
			readonly html?: undefined;
			readonly attributes: Readonly<Record<string, unknown>>;
	  });

type ComponentProps = Readonly<Record<string, unknown>>;

export function createComponentFunctions(
	{ find, ask, nameOf }: PageSource,
	settings: FragmentSettings,
): ComponentFunctions {
	const placeAll = async (pid: string, facts: readonly Facts[], page: PageContext) => {
		for (const one of facts) await find()?.place({ ...one, pid }, nameOf(page));
	};
	const optionsFor = ({ currentLocale = 'en' }: PageContext) => ({ ...settings, language: currentLocale });
	const writeHere = async (
		source: ReviewSource,
		pid: string,
		request: FragmentRequest,
		page: PageContext,
	): Promise<Fragment> => {
		const stored = await LOADERS[componentOf(request).from](source, pid, nameOf(page));
		const fragment = writeFragment(stored, request, settings);
		await placeAll(pid, fragment.facts, page);
		return fragment;
	};
	/** What a component writes. All that a build can write anew has an address: a function as a prop is known to the page alone. */
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
		const isPlain = isPlainRequest(request);
		return naming(component, pid, () => {
			const fragment = ask(from, pid, page, (source) =>
				source.getFragment && isPlain
					? source.getFragment(pid, request, nameOf(page))
					: writeHere(source, pid, request, page),
			);
			return when(fragment, (known) => {
				const written = known ?? writeFragment(undefined, request, settings);
				return isPlain ? addressFragment(written, pid, request) : written;
			});
		});
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
			const data = await ask('review-data', pid, page, (source) => source.getReviewData(pid, nameOf(page)));
			const formed = data && formAuthors(data, settings.authorNames);
			return naming('ReviewList', pid, async () => {
				const written = await Promise.all(selectReviews(formed?.reviews ?? [], props).map(own));
				const { html, facts } = writeReviewList(formed, props, optionsFor(page), written);
				await placeAll(pid, facts, page);
				return html;
			});
		},
		async reviewSectionParts(props, page, slots) {
			const { html, parts } = await fragmentOf('ReviewSection', { ...props, slots }, page);
			if (!parts) return { html };
			const { pid: _pid, ...others } = props;
			return { ...parts, attributes: sectionAttributes(others, optionsFor(page)) };
		},
	};
}

/** Adds the component and the product to the message of an invalid prop. */
function naming<Value>(
	component: string,
	pid: string,
	write: () => Value | Promise<Value>,
): Value | Promise<Value> {
	const fail = (error: unknown): never => {
		// The error may come from another copy of this module.
		const { code, message } = error as InvalidPropError;
		if (code !== 'PR_INVALID_PROP') throw error;
		throw new InvalidPropError(`<${component} pid="${pid}">: ${message}`);
	};
	try {
		const written = write();
		return isPromise(written) ? written.catch(fail) : written;
	} catch (error) {
		return fail(error);
	}
}

const LOADERS: {
	readonly [From in keyof StoredData]: (
		source: ReviewSource,
		pid: string,
		page: string | undefined,
	) => Promise<StoredData[From] | undefined>;
} = {
	reviews: (source, pid, page) => source.getProductReviews(pid, page),
	'review-data': (source, pid, page) => source.getReviewData(pid, page),
	rating: async (source, pid, page) => ({ aggregate: await source.getStarRating(pid, page) }),
};
