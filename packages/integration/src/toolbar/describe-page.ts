import { type GivenMarkup, readMarkup } from '../audit/markup.js';
import type { DevPage } from '../build/dev-pages.js';
import { howToSet, type MissingValue } from '../options/missing-values.js';
import { capitalize } from '../text/words.js';
import { type AnswerOf, describeProducts } from './describe-product.js';
import { describeRules } from './describe-rules.js';
import type { ProductRow, RuleRow, SetupRow, ToolbarPage } from './messages.js';

/** What is known of a page. */
export interface KnownPage {
	/** What it showed when it was last rendered; `undefined` if it asked for nothing. */
	readonly page: DevPage | undefined;
	readonly answerOf: AnswerOf;
	/** What a browser reads from it. */
	readonly markup: GivenMarkup;
	/** Values that are not set in the configuration. */
	readonly missing: readonly MissingValue[];
	/** Milliseconds since 1970. */
	readonly now: number;
}

/** Says in words what the toolbar shows about a page. */
export function describePage({ page, answerOf, markup, missing, now }: KnownPage): ToolbarPage {
	const setup = missing.map(describeMissing);
	const products = page ? describeProducts(page, answerOf, now) : [];
	const rules = describeRules(page?.facts ?? [], readMarkup(markup));
	return { setup, products, rules, alarm: alarmOf(setup, products, rules) };
}

function describeMissing(value: MissingValue): SetupRow {
	return {
		option: value.option,
		text: `${capitalize(value.what)}. ${howToSet(value)} ${value.without}`,
		isRequired: value.isRequired,
	};
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
