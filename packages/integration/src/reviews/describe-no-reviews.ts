import { count, nameProduct } from '../base/words.js';
import type { Credentials } from '../options/connection.js';
import { nameWebsite } from './describe-failures.js';

/** For so few products, it is normal that none has reviews. */
const FEW = 4;

/**
 * The warning of a build if the service has no reviews of any product: the store is new, or the website ID belongs to
 * another store. `undefined` if any product has reviews, or there are few products.
 * @param credentials `undefined` for a provider, which has its own
 */
export function describeNoReviews(
	{ products, missing }: { readonly products: number; readonly missing: number },
	credentials: Credentials | undefined,
	pids: Iterable<string>,
): string | undefined {
	if (products <= FEW || missing < products) return undefined;
	const what = credentials ? nameWebsite(credentials) : 'the provider';
	const advice = credentials ? adviseOnNoReviews(credentials.wsid, pids) : [];
	return [
		`${credentials ? 'The service' : 'The provider'} has no reviews of any of the ${count(products, 'product')}.`,
		`Unless the store is new, check ${what} and the product IDs.`,
		...advice,
		'[PR_NO_REVIEWS]',
	].join(' ');
}

/** The widget of the service has an id of its own. */
const WIDGET_ID = /^[0-9a-f]{24}$/i;

/** Sentences about why the service may have no reviews of any of these products. */
export function adviseOnNoReviews(wsid: string, pids: Iterable<string>): string[] {
	const all = [...pids];
	const ofWidget = all.filter((pid) => WIDGET_ID.test(pid));
	const [first = ''] = ofWidget;
	return [
		'Check that the products are synced to the service: until they are, it counts their reviews as reviews of the business.',
		...(ofWidget.length > all.length / 2
			? [`${nameProduct(first)} looks like the id of a widget ("data-id"), not of a product ("data-pid").`]
			: []),
		...(/[\s\p{Lu}]/u.test(wsid) ? [UNUSUAL_WEBSITE_ID] : []),
	];
}

const UNUSUAL_WEBSITE_ID =
	'Website IDs are usually lower-case letters and digits: check whether the capitals and spaces of this one belong to it.';
