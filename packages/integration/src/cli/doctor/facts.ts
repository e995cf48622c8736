import type { Operation } from 'product-reviews-client';
import type { ErrorCode } from '../../errors/catalogue.js';
import type { ProductReviewsOptions } from '../../options/schema.js';
import type { DroppedParts } from '../../parse/field-reader.js';
import type { BuildReport } from '../../report/report.js';

/** Everything that the checks look at. It contains no secret. Times are milliseconds since 1970. */
export interface Facts {
	readonly now: number;
	readonly versions: { readonly node: string; readonly astro: string };
	/** `undefined` if the configuration cannot be loaded or lacks the integration. */
	readonly site: SiteFacts | undefined;
	/** Why there is no site. */
	readonly siteTrouble: Trouble | undefined;
	readonly settings: readonly Setting[];
	readonly list: ListFacts;
	/** `undefined` if it cannot be asked, because something is not set. */
	readonly service: ServiceFacts | undefined;
	/** The product that was asked for. */
	readonly product: ProductFacts;
	readonly store: StoreFacts;
	readonly build: BuildFacts;
	readonly receiver: ReceiverFacts;
}

/** Something that failed. */
export interface Trouble {
	readonly code: ErrorCode;
	readonly reason: string;
	readonly next?: string;
}

/** Options without secrets. */
export type SafeOptions = Omit<ProductReviewsOptions, 'token' | 'products' | 'baseUrl' | 'wsid'>;

export interface SiteFacts {
	readonly adapter: string | undefined;
	readonly site: string | undefined;
	readonly isIncremental: boolean;
	readonly hasCsp: boolean;
	readonly options: SafeOptions;
	/** Options that differ from their defaults: `maxAge 2 h`. */
	readonly changed: readonly string[];
	/** Whether a trouble of the connection, such as an invalid address, was found. */
	readonly connectionTrouble: Trouble | undefined;
}

/** A value that an option or the environment may set. */
export interface Setting {
	readonly id: 'baseUrl' | 'wsid' | 'token' | 'webhookSecret' | 'webhookKey';
	/** Its environment variable. */
	readonly variable: string;
	/** The value, or what can be said of a secret; `undefined` if it is not set. */
	readonly shown: string | undefined;
	/** Length of a string; `undefined` for others. */
	readonly length: number | undefined;
	/** Where it was set, or where it is set to nothing. */
	readonly origin: string | undefined;
	/** Another place whose different value is not used. */
	readonly hides: string | undefined;
}

export type ListFacts =
	| { readonly state: 'none' }
	| { readonly state: 'failed'; readonly trouble: Trouble }
	| {
			readonly state: 'read';
			readonly first: string;
			/** `undefined` if the list has no length. */
			readonly length: number | undefined;
			/** How many ids were read. */
			readonly read: number;
			/** Whether it contains the product that was given; `undefined` if this is unknown. */
			readonly hasProduct: boolean | undefined;
	  };

/** What became of one request. */
export type Asked =
	| { readonly state: 'skipped' }
	| { readonly state: 'answered'; readonly ms: number; readonly count: number; readonly average: number }
	| { readonly state: 'failed'; readonly trouble: Trouble; readonly status: number | undefined };

export interface ServiceFacts {
	/** Scheme and host. */
	readonly origin: string;
	readonly operations: Readonly<Record<Operation, Asked>>;
	/** How much its clock is ahead of ours, in milliseconds; `undefined` if it did not say. */
	readonly skew: number | undefined;
	/** Parts of the product's reviews that cannot be used. */
	readonly dropped: DroppedParts;
	/** Publishers of the product's reviews, as in the structured data; `undefined` stands for none. */
	readonly publishers: readonly (string | undefined)[];
}

export interface ProductFacts {
	/** `undefined` if no product is known. */
	readonly pid: string | undefined;
	/** Whether it was given with `--product`. */
	readonly isGiven: boolean;
	readonly stored: StoredProduct | undefined;
	/** When it was marked as changed, if it was not fetched since. */
	readonly markedAt: number | undefined;
	/** What the last build says of it. */
	readonly reported:
		| { readonly status: string | undefined; readonly reason: string | undefined; readonly pages: number }
		| undefined;
}

export interface StoredProduct {
	readonly fetchedAt: number;
	readonly state: string;
	/** Ratings; 0 for a product without reviews. */
	readonly count: number;
	readonly average: number;
	/** Whether it can be read. */
	readonly isWhole: boolean;
}

export type StoreFacts =
	| { readonly state: 'missing'; readonly name: string }
	| { readonly state: 'unusable'; readonly name: string; readonly reason: string }
	| {
			readonly state: 'open';
			readonly name: string;
			readonly bytes: number;
			/** Of this website id. */
			readonly products: number;
			readonly stale: number;
			/** Products of other website ids or addresses. */
			readonly others: number;
			readonly damaged: number;
			readonly oldest: number | undefined;
			readonly newest: number | undefined;
			/** Products that are marked as changed, and were not fetched since. */
			readonly marks:
				| { readonly products: number; readonly areAll: boolean; readonly oldest: number }
				| undefined;
			readonly hasSetAside: boolean;
	  };

export interface BuildFacts {
	/** `undefined` if there is none. */
	readonly report:
		| (Pick<BuildReport, 'version' | 'totals' | 'pages' | 'ms'> & {
				readonly builtAt: number;
				readonly findings: number;
				/** The first reason for which the service failed. */
				readonly failure: string | undefined;
				/** Whether any page shows a listed product. */
				readonly showsProducts: boolean;
		  })
		| undefined;
	readonly outDir: string;
	readonly hasOutput: boolean;
	/** Pages with reviews whose files were looked at. */
	readonly pages: { readonly checked: number; readonly gone: number };
	/** When the last of these files was written. */
	readonly newestFile: number | undefined;
	/** Why only a build can bring new reviews into pages; `undefined` if a publish can, or publishing is off. */
	readonly whyNoPublish: string | undefined;
}

/** The file of waiting changes of `product-reviews-webhook`, if it is where that puts it by default. */
export interface ReceiverFacts {
	readonly waiting: { readonly products: number; readonly oldest: number } | undefined;
	readonly trouble: Trouble | undefined;
}

/** Parts of the output, in order. */
export const GROUPS = [
	'Project',
	'Configuration',
	'Service',
	'Product',
	'Store',
	'Last build',
	'New reviews',
] as const;

/** What one check found. */
export interface Finding {
	readonly group: (typeof GROUPS)[number];
	/** What was checked: one or two words. */
	readonly check: string;
	/** A `'problem'` keeps reviews from pages, or is likely to; a `'warning'` may be intended. */
	readonly state: 'ok' | 'warning' | 'problem';
	/** What is so: a sentence. */
	readonly text: string;
	/** What to do about it. */
	readonly next?: string;
	/** Names the problem in the documentation. */
	readonly code?: ErrorCode;
}

type Group = Finding['group'];

type Advice = Pick<Finding, 'next' | 'code'>;

/** Functions that make the findings of one group. */
export function findingsOf(group: Group) {
	return {
		ok: (check: string, text: string): Finding => ({ group, check, state: 'ok', text }),
		warning: (check: string, text: string, advice: Advice): Finding => ({
			group,
			check,
			state: 'warning',
			text,
			...advice,
		}),
		problem: (check: string, text: string, advice: Advice): Finding => ({
			group,
			check,
			state: 'problem',
			text,
			...advice,
		}),
	};
}
