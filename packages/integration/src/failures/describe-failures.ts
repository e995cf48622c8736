import type { Failure } from '../outcomes/create-outcomes.js';
import { count, nameProducts } from '../text/words.js';
import type { Advise } from './create-advice.js';
import { codeOf, kindOf } from './failure-kind.js';
import { UNUSABLE } from './failure-policy.js';
import { FEW_VANISHED } from './limits.js';

/** What pages show instead of fresh reviews. */
type Fallback = 'stored reviews are shown' | 'left out';

/** Warnings about failures that do not fail the build: one for each problem that needs attention. */
export function describeFailures(
	failures: readonly Failure[],
	fallback: Fallback,
	advise: Advise = () => undefined,
): string[] {
	const groups = Map.groupBy(failures, groupOf);
	return (['outage', 'unusable', 'vanished'] as const).flatMap((group) => {
		const of = groups.get(group);
		return of ? [DESCRIPTIONS[group](of, fallback, advise)] : [];
	});
}

type Group = 'outage' | 'unusable' | 'vanished';

function groupOf({ error }: Failure): Group {
	const kind = kindOf(error);
	return kind === 'vanished' ? 'vanished' : UNUSABLE.has(kind) ? 'unusable' : 'outage';
}

const DESCRIPTIONS: Readonly<
	Record<Group, (failures: readonly Failure[], fallback: Fallback, advise: Advise) => string>
> = {
	outage: (failures, fallback, advise) => {
		const pids = pidsOf(failures);
		const then = fallback === 'left out' ? ', and nothing is stored' : `; ${fallback}`;
		const reason = [`First reason: ${failures[0]?.reason}`, advise(failures)].filter(Boolean).join(' ');
		return `The service failed for ${count(pids.length, 'product')}${then}: ${nameProducts(pids)}. ${reason}${codeIn(failures)}`;
	},
	unusable: (failures, fallback) => {
		const pids = pidsOf(failures);
		const then = fallback === 'left out' ? ', and nothing is stored: no reviews are shown' : `; ${fallback}`;
		return `Answers for ${count(pids.length, 'product')} cannot be used${then}. ${nameSome(pids)} First reason: ${failures[0]?.reason}${codeIn(failures)}`;
	},
	vanished: (failures, fallback) => {
		const pids = pidsOf(failures);
		const then = fallback === 'left out' ? 'what is stored is too old to show' : fallback;
		return `According to the service, ${count(pids.length, 'product')} lost all reviews since the last build. So many at once (over ${FEW_VANISHED.share * 100} %) look like a fault of the service; ${then}. If the reviews are really gone, run "npx astro-product-reviews invalidate --all" and build again. ${nameSome(pids)}${codeIn(failures)}`;
	},
};

/** The code of the first failure, at the end of a line. */
function codeIn(failures: readonly Failure[]): string {
	return ` [${codeOf(failures[0]?.error)}]`;
}

/** A server's log line about products whose loss is not believed. @param products how many had reviews. */
export function describeVanished(lost: ReadonlySet<string>, products: number): string {
	const limit = `over ${FEW_VANISHED.share * 100} % of ${products.toLocaleString('en')}`;
	return `According to the service, ${count(lost.size, 'product')} lost all reviews within a day. So many at once (${limit}) look like a fault of the service; what was shown last is shown, and the service is asked again. If the reviews are really gone, restart the server. ${nameSome([...lost])} [PR_REVIEWS_VANISHED]`;
}

/** Products named in a longer message; the report has all of them. */
const MOST_NAMED = 20;

function nameSome(pids: readonly string[]): string {
	return `Products: ${nameProducts(pids, MOST_NAMED)}.`;
}

/** A product whose reviews and review data both failed counts once. */
function pidsOf(failures: readonly Failure[]): string[] {
	return [...new Set(failures.map(({ pid }) => pid))];
}
