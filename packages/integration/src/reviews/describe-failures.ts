import { codeOf, kindOf, refusalOf } from '../base/failures.js';
import { count, nameProduct, nameProducts, plainLine } from '../base/words.js';
import type { Refusal } from '../errors.js';
import type { Credentials } from '../options/connection.js';
import { UNUSABLE } from './fetch-policy.js';
import type { Advise, Failure } from './results.js';
import { FEW_VANISHED } from './vanish-guard.js';

type Group = 'outage' | 'unusable' | 'vanished';

/**
 * Warnings about failures that do not fail the build: one for each problem that needs attention.
 * @param failures either all with stored reviews, or all without.
 */
export function describeFailures(failures: readonly Failure[], advise: Advise): string[] {
	const groups = Map.groupBy(failures, ({ error }): Group => {
		const kind = kindOf(error);
		return kind === 'vanished' ? kind : UNUSABLE.has(kind) ? 'unusable' : 'outage';
	});
	return (['outage', 'unusable', 'vanished'] as const).flatMap((group) => {
		const of = groups.get(group);
		return of ? [describeGroup(group, of, advise)] : [];
	});
}

function describeGroup(group: Group, failures: readonly Failure[], advise: Advise): string {
	// A product whose reviews and review data both failed counts once.
	const pids = [...new Set(failures.map(({ pid }) => pid))];
	const products = count(pids.length, 'product');
	const first = `First reason: ${failures[0]?.reason}`;
	const code = `[${codeOf(failures[0]?.error)}]`;
	const isStale = failures[0]?.stale;
	if (group === 'outage') {
		const then = isStale ? '; cached reviews are shown' : ', and nothing is cached';
		const reason = [first, advise(failures)].filter(Boolean).join(' ');
		return `${isOfProvider(failures) ? 'The provider' : 'The service'} failed for ${products}${then}: ${nameProducts(pids)}. ${reason} ${code}`;
	}
	if (group === 'unusable') {
		const then = isStale ? '; cached reviews are shown' : ', and nothing is cached: no reviews are shown';
		return `Answers for ${products} cannot be used${then}. ${nameSome(pids)} ${first} ${code}`;
	}
	const then = isStale ? 'cached reviews are shown' : 'what is cached is too old to show';
	return `According to the service, ${products} lost all reviews since the last build. So many at once (over ${FEW_VANISHED.share * 100} %) look like a fault of the service; ${then}. If the reviews are really gone, run "npx astro-product-reviews cache invalidate --all" and build again. ${nameSome(pids)} ${code}`;
}

/** Returns whether a provider failed, and not the hosted service. */
export function isOfProvider(failures: readonly Pick<Failure, 'error'>[]): boolean {
	return failures.every(({ error }) => codeOf(error) === 'PR_PROVIDER_FAILED');
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

interface AdviceContext {
	/** `undefined` for a provider, which has its own. */
	readonly credentials: () => Credentials | undefined;
	/** Names the options of a provider of this package. @default it is the merchant's own, or the hosted service */
	readonly shipped?: string | undefined;
	readonly sendTokenForReviews: boolean;
	/** Returns whether the service has answered for any product yet. If so, the website ID is right. */
	readonly hasAnswered: () => boolean;
}

/**
 * Turns refusals into advice.
 * @example advise([{ pid: 'p-1', error }]) // 'Check the website ID "W-9" (the option "wsid" of productReviews()) ...'
 */
export function createAdvice(context: AdviceContext): Advise {
	const { credentials, shipped, sendTokenForReviews, hasAnswered } = context;
	const isAboutToken = ({ status, operation }: Refusal) =>
		(status === 401 || status === 403) && (operation !== 'crawlerReviews' || sendTokenForReviews);

	return (failures) => {
		const refused = failures.flatMap(({ pid, error }) => {
			const refusal = refusalOf(error);
			return refusal ? [{ pid, refusal }] : [];
		});
		if (shipped !== undefined && isOfProvider(failures)) return adviseOnShipped(shipped);
		if (refused.length === 0) return undefined;
		const known = credentials();
		const website = known ? nameWebsite(known) : 'the credentials that the provider uses';
		if (known && refused.some(({ refusal }) => isAboutToken(refusal))) {
			return `The service refuses the token. Check ${known.origins.token}, and that the token belongs to ${website}.`;
		}
		const one = new Set(refused.map(({ pid }) => pid)).size === 1;
		if (hasAnswered()) {
			return `The service responds for other products: check the ${one ? 'id of this one' : 'ids of these'}.`;
		}
		return one
			? `Check ${website} and the id of the product.`
			: `The service refuses every product. Check ${website}.`;
	};
}

/** @param options of the provider, in words. */
export function adviseOnShipped(options: string): string {
	return `Check ${options}, and the network.`;
}

function nameWebsite({ wsid, origins }: Credentials): string {
	return `the website ID "${plainLine(wsid, 60)}" (${origins.wsid})`;
}

/**
 * Warns that the service has no reviews of any product: the store is new, or the website ID belongs to another store.
 * @param hasNone returns whether the service is known to have none of a product.
 * @param credentials `undefined` for a provider, which has its own
 * @returns `undefined` if any product has reviews, or there is only one, which may be new.
 */
export function describeNoReviews(
	pids: readonly string[],
	hasNone: (pid: string) => boolean,
	credentials: Credentials | undefined,
): string | undefined {
	if (pids.length < 2 || !pids.every(hasNone)) return undefined;
	const what = credentials ? nameWebsite(credentials) : 'the provider';
	const advice = credentials ? adviseOnNoReviews(credentials.wsid, pids) : [];
	return [
		`${credentials ? 'The service' : 'The provider'} has no reviews of any of the ${count(pids.length, 'product')}.`,
		`Unless the store is new, check ${what} and the product IDs.`,
		...advice,
		'[PR_NO_REVIEWS]',
	].join(' ');
}

/** The widget of the service has an id of its own. */
const WIDGET_ID = /^[0-9a-f]{24}$/i;

/** A sentence about the most likely reason for which the service has no reviews of a product: its ID is another one there. */
export function adviseOnId(pid: string, otherwise: string): string {
	return `Open the product at your service, and compare its ID with ${nameProduct(pid)}. If they are the same, check ${otherwise}.`;
}

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
		...(/\s/.test(wsid) ? ['The website ID contains a space.'] : []),
	];
}
