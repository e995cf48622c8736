import type { GivenMarkup } from '../../pages/audit.js';

export const EVENTS = {
	ask: 'astro-product-reviews:ask',
	answer: 'astro-product-reviews:answer',
	refetch: 'astro-product-reviews:refetch',
	refetched: 'astro-product-reviews:refetched',
} as const;

/** Answers go to all open pages. Each page recognizes its own by the path of its address. */
interface Message {
	readonly path: string;
}

export interface PageQuestion extends Message {
	readonly markup: GivenMarkup;
}

export interface PageAnswer extends Message {
	readonly page: ToolbarPage;
}

export interface RefetchRequest extends Message {
	readonly pids: readonly string[];
}

export type RefetchAnswer = Message;

/** Contents of the app, in words. Texts may come from strangers: they are only written as text. */
export interface ToolbarPage {
	readonly setup: readonly SetupRow[];
	readonly products: readonly ProductRow[];
	readonly rules: readonly RuleRow[];
	/** Urgency of the worst problem of the page; `undefined` if all is well. */
	readonly alarm: 'error' | 'warning' | 'info' | undefined;
}

export interface SetupRow {
	/** @example 'baseUrl' */
	readonly option: string;
	/** The missing value, where to set it, and what happens without it. */
	readonly text: string;
	readonly isRequired: boolean;
}

export interface ProductRow {
	readonly pid: string;
	/** The id, printable and short. */
	readonly name: string;
	/** @example '4.5 of 5, 12 ratings' */
	readonly rating: string;
	/** Components and markup of the page that show the product. @example ['<StarRating>', 'own markup'] */
	readonly uses: readonly string[];
	readonly answers: readonly AnswerRow[];
}

/**
 * Origin of an answer. `'service'`: requested for this page; `'fresh'`, `'stale'`: stored, the latter because the
 * service failed; `'failed'`: the service failed and nothing is shown; `'none'`: nothing was requested.
 */
export type AnswerState = 'service' | 'fresh' | 'stale' | 'failed' | 'none';

export interface AnswerRow {
	/** @example 'Reviews' */
	readonly what: string;
	readonly state: AnswerState;
	/** The state in words. @example 'cache, fresh' */
	readonly source: string;
	/** @example '3 min ago' */
	readonly age: string | undefined;
	readonly reason: string | undefined;
	readonly dropped: readonly string[];
	/** `false` if a server before this one received the answer: {@link AnswerRow.dropped} is then unknown. */
	readonly isDroppedKnown: boolean;
}

export interface RuleRow {
	/** `'open'`: the page has nothing that the rule is about. */
	readonly state: 'kept' | 'broken' | 'open';
	/** Demand of the rule or, if the page breaks the rule, the problem. */
	readonly text: string;
	readonly remedy: string | undefined;
	readonly broken: readonly string[];
	readonly isRecommended: boolean;
	/** Source of the rule: who checks or recommends it. @example 'Builds check this, too.' */
	readonly weight: string;
}
