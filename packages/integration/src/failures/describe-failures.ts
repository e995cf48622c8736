import type { Failure } from '../outcomes/tally.js';
import { nameProducts } from '../text/name-products.js';
import { count } from '../text/words.js';
import type { Advise } from './create-advice.js';
import { kindOf } from './failure-kind.js';
import { UNUSABLE } from './failure-policy.js';
import { FEW_VANISHED } from './limits.js';

/** What pages show in place of fresh reviews. */
type Shown = 'stored reviews are shown' | 'left out';

/** Warnings about failures with which a build goes on: one for each thing that a developer has to look at. */
export function describeFailures(
	failures: readonly Failure[],
	shown: Shown,
	advise: Advise = () => undefined,
): string[] {
	const groups = Map.groupBy(failures, groupOf);
	return (['outage', 'unusable', 'vanished'] as const).flatMap((group) => {
		const of = groups.get(group);
		return of ? [DESCRIPTIONS[group](of, shown, advise)] : [];
	});
}

type Group = 'outage' | 'unusable' | 'vanished';

function groupOf({ error }: Failure): Group {
	const kind = kindOf(error);
	return kind === 'vanished' ? 'vanished' : UNUSABLE.has(kind) ? 'unusable' : 'outage';
}

const DESCRIPTIONS: Readonly<
	Record<Group, (failures: readonly Failure[], shown: Shown, advise: Advise) => string>
> = {
	outage: (failures, shown, advise) => {
		const pids = pidsOf(failures);
		const then = shown === 'left out' ? ', and nothing is stored' : `; ${shown}`;
		const reason = [`First reason: ${failures[0]?.reason}`, advise(failures)].filter(Boolean).join(' ');
		return `The service failed for ${count(pids.length, 'product')}${then}: ${nameProducts(pids)}. ${reason}`;
	},
	unusable: (failures, shown) => {
		const pids = pidsOf(failures);
		const [answers, their] = pids.length === 1 ? ['answer', 'its'] : ['answers', 'their'];
		const then =
			shown === 'left out' ? `, and nothing is stored: ${their} pages show no reviews` : `; ${shown}`;
		return `The ${answers} for ${count(pids.length, 'product')} cannot be used${then}. ${nameSome(pids)} First reason: ${failures[0]?.reason}`;
	},
	vanished: (failures, shown) => {
		const pids = pidsOf(failures);
		const then = shown === 'left out' ? 'what is stored is too old to be shown' : shown;
		return `The service says that ${count(pids.length, 'product')} lost all their reviews since the last build. So many at once (over ${FEW_VANISHED.share * 100} %) look like a fault of the service; ${then}. If they are really gone, run "npx product-reviews invalidate --all" and build again. ${nameSome(pids)}`;
	},
};

/** Products that a line names which has more to say; the report has all. */
const MOST_NAMED = 20;

function nameSome(pids: readonly string[]): string {
	return `${pids.length === 1 ? 'Product' : 'Products'}: ${nameProducts(pids, MOST_NAMED)}.`;
}

/** A product whose reviews and review data both failed is one product. */
function pidsOf(failures: readonly Failure[]): string[] {
	return [...new Set(failures.map(({ pid }) => pid))];
}
