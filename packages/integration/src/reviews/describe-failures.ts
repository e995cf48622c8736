import { codeOf, kindOf, refusalOf } from '../base/failures.js';
import { count, nameProducts, plainLine } from '../base/words.js';
import type { Refusal } from '../errors.js';
import type { Credentials } from '../options/connection.js';
import { FEW_VANISHED, UNUSABLE } from './failure-policy.js';
import type { Failure } from './results.js';

type Fallback = 'stored reviews are shown' | 'left out';

type Group = 'outage' | 'unusable' | 'vanished';

/** Warnings about failures that do not fail the build: one for each problem that needs attention. */
export function describeFailures(
	failures: readonly Failure[],
	fallback: Fallback,
	advise: Advise = () => undefined,
): string[] {
	const groups = Map.groupBy(failures, ({ error }): Group => {
		const kind = kindOf(error);
		return kind === 'vanished' ? kind : UNUSABLE.has(kind) ? 'unusable' : 'outage';
	});
	return (['outage', 'unusable', 'vanished'] as const).flatMap((group) => {
		const of = groups.get(group);
		return of ? [describeGroup(group, of, fallback, advise)] : [];
	});
}

function describeGroup(
	group: Group,
	failures: readonly Failure[],
	fallback: Fallback,
	advise: Advise,
): string {
	// A product whose reviews and review data both failed counts once.
	const pids = [...new Set(failures.map(({ pid }) => pid))];
	const products = count(pids.length, 'product');
	const first = `First reason: ${failures[0]?.reason}`;
	const code = `[${codeOf(failures[0]?.error)}]`;
	const isLeftOut = fallback === 'left out';
	if (group === 'outage') {
		const then = isLeftOut ? ', and nothing is stored' : `; ${fallback}`;
		const reason = [first, advise(failures)].filter(Boolean).join(' ');
		return `The service failed for ${products}${then}: ${nameProducts(pids)}. ${reason} ${code}`;
	}
	if (group === 'unusable') {
		const then = isLeftOut ? ', and nothing is stored: no reviews are shown' : `; ${fallback}`;
		return `Answers for ${products} cannot be used${then}. ${nameSome(pids)} ${first} ${code}`;
	}
	const then = isLeftOut ? 'what is stored is too old to show' : fallback;
	return `According to the service, ${products} lost all reviews since the last build. So many at once (over ${FEW_VANISHED.share * 100} %) look like a fault of the service; ${then}. If the reviews are really gone, run "npx astro-product-reviews cache invalidate --all" and build again. ${nameSome(pids)} ${code}`;
}

/** A server's log line about products whose loss is not believed. */
export function describeVanished(lost: ReadonlySet<string>, products: number): string {
	const limit = `over ${FEW_VANISHED.share * 100} % of ${products.toLocaleString('en')}`;
	return `According to the service, ${count(lost.size, 'product')} lost all reviews within a day. So many at once (${limit}) look like a fault of the service; what was shown last is shown, and the service is asked again. If the reviews are really gone, restart the server. ${nameSome([...lost])} [PR_REVIEWS_VANISHED]`;
}

/** Products named in a longer message; the report has all of them. */
const MOST_NAMED = 20;

function nameSome(pids: readonly string[]): string {
	return `Products: ${nameProducts(pids, MOST_NAMED)}.`;
}

export type Advise = (failures: readonly Pick<Failure, 'pid' | 'error'>[]) => string | undefined;

interface AdviceContext {
	/** `undefined` for a provider, which has its own. */
	readonly credentials: () => Credentials | undefined;
	readonly sendTokenForReviews: boolean;
	/** Returns whether the service has answered for any product yet. If so, the website ID is right. */
	readonly hasAnswered: () => boolean;
}

/**
 * Turns refusals into advice.
 * @example advise([{ pid: 'p-1', error }]) // 'Check the website ID "W-9" (the option "wsid" of productReviews()) ...'
 */
export function createAdvice({ credentials, sendTokenForReviews, hasAnswered }: AdviceContext): Advise {
	const isAboutToken = ({ status, operation }: Refusal) =>
		(status === 401 || status === 403) && (operation !== 'crawlerReviews' || sendTokenForReviews);

	return (failures) => {
		const refused = failures.flatMap(({ pid, error }) => {
			const refusal = refusalOf(error);
			return refusal ? [{ pid, refusal }] : [];
		});
		if (refused.length === 0) return undefined;
		const known = credentials();
		const website = known ? nameWebsite(known) : 'the credentials that the provider uses';
		if (known && refused.some(({ refusal }) => isAboutToken(refusal))) {
			return `The service refuses the token. Check ${known.origins.token}, and that the token belongs to ${website}.`;
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

export function nameWebsite({ wsid, origins }: Credentials): string {
	return `the website ID "${plainLine(wsid, 60)}" (${origins.wsid})`;
}
