import { ago, amount, capitalize, count, nameProduct } from '../../base/words.js';
import { howToSet, type MissingValue } from '../../options/connection.js';
import { type GivenMarkup, judgePage, readMarkup } from '../../pages/audit.js';
import type { PageMarkup } from '../../pages/audit-rules.js';
import { nameParts } from '../../project/log-lines.js';
import type { ProductFacts, ProductSource } from '../../render/fragment.js';
import type { DevAnswer, DevPage } from '../start-dev.js';
import type { AnswerRow, AnswerState, ProductRow, RuleRow, SetupRow, ToolbarPage } from './messages.js';

export interface KnownPage {
	/** Requests of the page when it was last rendered; `undefined` if there were none. */
	readonly page: DevPage | undefined;
	readonly answerOf: (from: ProductSource, pid: string) => DevAnswer;
	readonly markup: GivenMarkup;
	readonly missing: readonly MissingValue[];
	readonly now: number;
}

export function describePage({ page, answerOf, markup, missing, now }: KnownPage): ToolbarPage {
	const setup = missing.map((value) => ({
		option: value.option,
		text: `${capitalize(value.what)}. ${howToSet(value)} ${value.without}`,
		isRequired: value.isRequired,
	}));
	const products = page ? describeProducts(page, answerOf, now) : [];
	const rules = describeRules(page?.facts ?? [], readMarkup(markup));
	return { setup, products, rules, alarm: alarmOf(setup, products, rules) };
}

function alarmOf(
	setup: readonly SetupRow[],
	products: readonly ProductRow[],
	rules: readonly RuleRow[],
): ToolbarPage['alarm'] {
	if (setup.some(({ isRequired }) => isRequired)) return 'error';
	const hasFailed = products.some(({ answers }) => answers.some(({ reason }) => reason !== undefined));
	const broken = rules.filter(({ state }) => state === 'broken');
	if (hasFailed || broken.some(({ isRecommended }) => !isRecommended)) return 'warning';
	return broken.length > 0 ? 'info' : undefined;
}

function describeRules(facts: readonly ProductFacts[], markup: PageMarkup): RuleRow[] {
	return judgePage(facts, markup).map(({ rule, isAbout, broken }) => {
		const isBroken = broken.length > 0;
		const isRecommended = 'isRecommended' in rule;
		return {
			state: isBroken ? 'broken' : isAbout ? 'kept' : 'open',
			text: isBroken ? `${capitalize(rule.wrong)}.` : rule.demand,
			remedy: isBroken ? rule.remedy : undefined,
			broken,
			isRecommended,
			weight:
				'isBroken' in rule || 'problem' in rule
					? 'Builds check this, too.'
					: `${isRecommended ? 'Recommended' : 'Required'} by search engines.`,
		};
	});
}

/** Describes the products that a page asks for, in order. @param now milliseconds since 1970 */
function describeProducts(page: DevPage, answerOf: KnownPage['answerOf'], now: number): ProductRow[] {
	const ofProducts = page.asked.filter(({ from }) => from !== 'shop');
	return [...Map.groupBy(ofProducts, ({ pid }) => pid)].map(([pid, asked]) => {
		const kinds = KINDS.filter((from) => asked.some((one) => one.from === from));
		const answers = kinds.map((from) => ({ from, answer: answerOf(from, pid) }));
		return {
			pid,
			name: nameProduct(pid),
			rating: describeRating(answers.map(({ answer }) => answer)),
			uses: usesOf(pid, page),
			answers: answers.map(({ from, answer }) => describeAnswer(from, answer, page.startedAt, now)),
		};
	});
}

function describeRating(answers: readonly DevAnswer[]): string {
	const known = answers.find(({ rating }) => rating !== undefined)?.rating;
	if (!known)
		return answers.some(({ fetchedAt }) => fetchedAt !== undefined) ? 'No ratings' : 'Rating not known';
	const average = known.average.toLocaleString('en', { maximumFractionDigits: 2 });
	return `${average} of 5, ${count(known.count, 'rating')}`;
}

const NAMES: Readonly<Record<ProductSource, string>> = {
	reviews: 'Reviews',
	'review-data': 'Review data',
	rating: 'Rating in lists',
};

const KINDS = Object.keys(NAMES) as ProductSource[];

const SOURCES: Readonly<Record<AnswerState, string>> = {
	service: 'service, just now',
	fresh: 'cache, fresh',
	stale: 'cache, stale',
	failed: 'failed',
	none: 'not requested',
};

function describeAnswer(
	from: ProductSource,
	{ fetchedAt, failure, dropped }: DevAnswer,
	startedAt: number,
	now: number,
): AnswerRow {
	let state: AnswerState = 'none';
	if (failure) state = failure.isStoredShown ? 'stale' : 'failed';
	else if (fetchedAt !== undefined) state = fetchedAt >= startedAt ? 'service' : 'fresh';
	return {
		what: NAMES[from],
		state,
		source: SOURCES[state],
		age: fetchedAt === undefined || state === 'failed' ? undefined : ago(now - fetchedAt),
		reason: failure?.reason,
		dropped: dropped ? nameParts(dropped) : [],
		// Ratings in lists have no parts.
		isDroppedKnown: dropped !== undefined || from === 'rating' || state === 'failed' || state === 'none',
	};
}

/** Lists the uses of a product: components by name and number, and the page's own markup. */
function usesOf(pid: string, page: DevPage): string[] {
	const asked = page.asked.filter((one) => one.pid === pid);
	const placed = page.facts.filter((one) => one.pid === pid).map(({ component }) => component);
	const requested = asked.flatMap(({ request }) => request?.component ?? []);
	// A component whose reviews the page writes itself only asks for data.
	const hasOwn = asked.some(({ request }) => !request);
	const others = placed.filter((name) => hasOwn && !NO_COMPONENTS.has(name) && !requested.includes(name));
	const numbers = Map.groupBy([...requested, ...others], (name) => name);
	return [
		...[...numbers].map(([name, all]) => `<${name}>${all.length > 1 ? ` × ${amount(all.length)}` : ''}`),
		...(placed.includes('own-markup') ? ['own markup'] : []),
	];
}

const NO_COMPONENTS: ReadonlySet<string> = new Set(['own-markup', 'use', 'offers', 'page', 'product']);
