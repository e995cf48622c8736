import { ENVIRONMENT } from '../constants.js';
import type { ProductReviewsOptions } from './schema.js';

/** A value that is set neither in the options nor in the environment. */
export interface MissingValue {
	/** Name of the option. */
	readonly option: 'baseUrl' | 'wsid' | 'token' | 'products';
	/** Name of the environment variable; `undefined` if there is none. */
	readonly variable: string | undefined;
	/** @example 'the website id of the store' */
	readonly what: string;
	/** What happens without it, as a sentence. */
	readonly without: string;
	/** Whether a build fails without it. */
	readonly isRequired: boolean;
}

const VALUES: readonly MissingValue[] = [
	{
		option: 'baseUrl',
		variable: ENVIRONMENT.baseUrl,
		what: 'the address of the review service',
		without: 'Pages show no reviews, and builds fail.',
		isRequired: true,
	},
	{
		option: 'wsid',
		variable: ENVIRONMENT.wsid,
		what: 'the website id of the store',
		without: 'Pages show no reviews, and builds fail.',
		isRequired: true,
	},
	{
		option: 'token',
		variable: ENVIRONMENT.token,
		what: 'the access token',
		without: 'Review data cannot be fetched, and each star rating in a list takes a request of its own.',
		isRequired: false,
	},
	{
		option: 'products',
		variable: undefined,
		what: 'the product list',
		without: 'Builds fetch products only when a page asks for them, one page after another.',
		isRequired: false,
	},
];

/** The values that are not set. A value of spaces counts as not set; so does an empty variable. */
export function findMissing(
	options: Pick<ProductReviewsOptions, MissingValue['option']>,
	environment: Readonly<Record<string, string | undefined>>,
): MissingValue[] {
	return VALUES.filter(({ option, variable }) => {
		const given = options[option];
		const isGiven = typeof given === 'string' ? given.trim() !== '' : given !== undefined;
		return !isGiven && !(variable !== undefined && environment[variable]?.trim());
	});
}

/** Where to set a value, as a sentence. */
export function howToSet({ option, variable }: MissingValue): string {
	const either = `Set the option "${option}" of productReviews()`;
	return variable === undefined ? `${either}.` : `${either}, or ${variable} in the environment or in .env.`;
}
