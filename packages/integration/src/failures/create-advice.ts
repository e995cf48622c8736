import type { Refusal } from '../errors.js';
import type { Credentials } from '../options/connection.js';
import type { Failure } from '../outcomes/create-outcomes.js';
import { plainLine } from '../text/clean-text.js';
import { refusalOf } from './failure-kind.js';

/**
 * Says in a sentence or two what to check if the service refuses requests; `undefined` for other failures, whose reason
 * says enough.
 */
export type Advise = (failures: readonly Pick<Failure, 'pid' | 'error'>[]) => string | undefined;

/** What advice depends on. */
export interface AdviceContext {
	readonly credentials: () => Credentials;
	/** Whether the token is sent with requests for crawler-readable reviews. */
	readonly authorizeCrawlerHtml: boolean;
	/** Whether the service has answered for any product yet. If so, the website id is right. */
	readonly hasAnswered: () => boolean;
}

/**
 * Turns refusals into advice.
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
			return `The service refuses the token. Check ${credentials().origins.token}, and that the token belongs to ${website}.`;
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

const MOST_LETTERS = 60;

/** The website id for a message, and where it was set. */
export function nameWebsite({ wsid, origins }: Credentials): string {
	return `the website id "${plainLine(wsid, MOST_LETTERS)}" (${origins.wsid})`;
}
