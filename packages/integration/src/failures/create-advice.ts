import type { Refusal } from '../errors.js';
import type { Credentials } from '../options/connection.js';
import type { Failure } from '../outcomes/tally.js';
import { nameWebsite } from './name-website.js';
import { refusalOf } from './refusal.js';

/**
 * Says what to check where the service refuses what it is asked, as a sentence or two; `undefined` where it failed in
 * another way, for which the reason says enough.
 */
export type Advise = (failures: readonly Pick<Failure, 'pid' | 'error'>[]) => string | undefined;

/** What advice depends on. */
export interface AdviceContext {
	readonly credentials: () => Credentials;
	/** Whether crawler-readable reviews are asked for with the token. */
	readonly authorizeCrawlerHtml: boolean;
	/** Whether the service answered for any product yet: then the website id is not what is wrong. */
	readonly hasAnswered: () => boolean;
}

/**
 * The one place that turns refusals into words.
 * @example advise([{ pid: 'p-1', error }]) // 'Check the website id "W-9" (the option "wsid" of productReviews()) ...'
 */
export function createAdvice({ credentials, authorizeCrawlerHtml, hasAnswered }: AdviceContext): Advise {
	const isAboutToken = ({ status, operation }: Refusal) =>
		(status === 401 || status === 403) && (operation !== 'crawlerReviews' || authorizeCrawlerHtml);

	return (failures) => {
		const refused = failures.flatMap(({ pid, error }) => {
			const refusal = refusalOf(error);
			return refusal ? [{ pid, refusal }] : [];
		});
		if (refused.length === 0) return undefined;
		const website = nameWebsite(credentials());
		if (refused.some(({ refusal }) => isAboutToken(refusal))) {
			return `The service refuses the token. Check ${credentials().origins.token}, and that it belongs to ${website}.`;
		}
		const one = new Set(refused.map(({ pid }) => pid)).size === 1;
		if (hasAnswered()) {
			return `The service answers for other products: check the ${one ? 'id of this one' : 'ids of these'}.`;
		}
		return one
			? `Check ${website} and the id of the product.`
			: `The service refuses every product. Check ${website}.`;
	};
}
