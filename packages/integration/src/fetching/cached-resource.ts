import { setImmediate } from 'node:timers/promises';
import QuickLRU from 'quick-lru';
import { ProductReviewsError } from '../errors.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { Advise } from '../failures/describe-failures.js';
import { holdsReviews, type Losses } from '../failures/losses.js';
import {
	consequenceOf,
	type FailureConsequence,
	kindOf,
	type StoredState,
	vanished,
} from '../failures/policy.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Failure, Outcomes } from '../outcomes/outcomes.js';
import type { DroppedParts } from '../parse/field-reader.js';
import type { Fetched } from '../providers/review-fetcher.js';
import {
	CLOCK_TOLERANCE,
	isOutdated,
	type Part,
	type ReviewStore,
	type StoredPart,
} from '../reviews/parts.js';
import { nameProduct } from '../text/words.js';
import type { CacheSharing } from './cache-sharing.js';
import { inBatches } from './in-batches.js';

/** What the resources of one build or dev server have in common. */
export interface RulesContext {
	/** A `'dev'` server keeps running: it requests failed products again, and no failure ends it. */
	readonly command: 'build' | 'dev';
	readonly options: Pick<ProductReviewsOptions, 'maxAge' | 'staleIfError' | 'onError'>;
	readonly store: ReviewStore;
	/** Whether a dev server knows that everything fetched until then has changed. @default it knows nothing */
	readonly isOutdated?: ((fetchedAt: number) => boolean) | undefined;
	readonly now: () => number;
	readonly onFailure: (failure: Failure) => void;
	/** What to check if the service refuses products. */
	readonly advise?: Advise | undefined;
}

/** How long a dev server does not request a failed product again, in milliseconds. */
const DEV_FAILURE_MEMORY = 10_000;

/** Freshness and failure policy of one build or dev server. */
export class ResourceRules {
	readonly context: RulesContext;
	readonly isBuild: boolean;
	/** How long a failed product is not requested again, in milliseconds. */
	readonly failureMemory: number;
	readonly #maxAge: () => number;
	readonly #onError: ProductReviewsOptions['onError'];
	readonly #startedAt: number;

	/** @param maxAge maximum age of a value, in milliseconds. It may change while products are checked. */
	constructor(context: RulesContext, maxAge: () => number) {
		this.context = context;
		this.#maxAge = maxAge;
		this.isBuild = context.command === 'build';
		this.failureMemory = this.isBuild ? Number.POSITIVE_INFINITY : DEV_FAILURE_MEMORY;
		// `'fail'` ends builds only. A dev server continues with stored values.
		this.#onError = this.isBuild ? context.options.onError : 'stale';
		// What a build has fetched stays fresh until its end, regardless of `maxAge`.
		this.#startedAt = this.isBuild ? context.now() : Number.POSITIVE_INFINITY;
	}

	isFresh(pid: string, stored: StoredPart | undefined): boolean {
		const { store, now, isOutdated: isOld } = this.context;
		if (!stored || isOld?.(stored.fetchedAt) || isOutdated(stored, store.markOf(pid))) return false;
		const age = now() - stored.fetchedAt;
		// A value from the future was written by a wrong clock, and could be fresh for years.
		return age > -CLOCK_TOLERANCE && (stored.fetchedAt >= this.#startedAt || age < this.#maxAge());
	}

	/** What a page shows for a failed product. The number of failures is not known before the end of the build. */
	consequence(pid: string, stored: StoredPart | undefined, error: unknown): FailureConsequence {
		const state = this.#stateOf(pid, stored);
		return consequenceOf({ kind: kindOf(error), stored: state, onError: this.#onError, isFew: false });
	}

	#stateOf(pid: string, stored: StoredPart | undefined): StoredState {
		if (!stored) return 'nothing';
		const { now, options } = this.context;
		if (now() - stored.fetchedAt > options.staleIfError) return 'too old';
		return this.isFresh(pid, stored) ? 'fresh' : 'stale';
	}

	/** @throws ProductReviewsError if any failure ends the build. */
	assertGoing(failure: Failure | undefined): void {
		if (!failure || this.#onError !== 'fail') return;
		const { pid, reason, error } = failure;
		const advice = this.context.advise?.([{ pid, error }]);
		const hint =
			'The option "onError" is "fail", so that any failure ends the build. With "stale" stored reviews are used.';
		throw new ProductReviewsError(
			'PR_REVIEWS_UNAVAILABLE',
			`The service failed for the product ${nameProduct(pid)}: ${reason}`,
			advice ? `${advice} ${hint}` : hint,
			{ cause: error },
		);
	}
}

interface CachedResourceContext<Value> {
	readonly part: Part;
	readonly restore: (stored: never) => Value;
	readonly fetch: (pid: string, validators: string | undefined) => Promise<Fetched>;
	/** Moves the pending request for a product to the front, because a page waits for it. */
	readonly prioritize: (pid: string) => void;
	readonly rules: ResourceRules;
	/** The outcome of each product. Once settled, it holds until the end of the build. */
	readonly outcomes: Outcomes;
	readonly losses: Losses;
	/** What builders share. @default nothing */
	readonly sharing?: CacheSharing | undefined;
	/** Resolves when it is known which stored products are outdated; `undefined` if this is not checked. */
	readonly checked: Promise<unknown> | undefined;
}

interface PendingRequest {
	/** Settles when its answer is stored. Rejects if its failure ends the page. */
	readonly done: Promise<void>;
	/** Settles when the service has answered, even if the answer is not believed yet. */
	readonly answered: Promise<void>;
}

/** A value, if there is one. Its version changes exactly when it does; `undefined` if it may change before the build ends. */
export interface Loaded<Value> {
	readonly value: Value | undefined;
	readonly version: string | undefined;
}

const NOTHING = { value: undefined, version: undefined };

/** Products looked up at once. */
const BATCH = 200;

/** Number of values kept in memory after they were read: pages ask for a product several times. They take a few megabytes. */
const RECENT = 100;

/**
 * The values of one resource of a build or dev server, from the cache or, if they are not fresh there, from the
 * service. It decides when a product is requested: concurrent callers share one request, and failures are remembered.
 */
export class CachedResource<Value> {
	readonly #context: CachedResourceContext<Value>;
	readonly #pending = new Map<string, PendingRequest>();
	readonly #failed = new Map<string, { readonly at: number; readonly failure: Failure }>();
	readonly #dropped = new Map<string, DroppedParts>();
	/** Products whose next request has no validators: with them, the service could answer that the stored value is current. */
	readonly #whole = new Set<string>();
	readonly #recent = new QuickLRU<string, Loaded<Value>>({ maxSize: RECENT });
	readonly #freshAmong = inBatches(
		(pids) => {
			const { part, rules } = this.#context;
			const entries = this.#store.entries(pids, part);
			return new Set(pids.filter((pid) => rules.isFresh(pid, entries.get(pid))));
		},
		BATCH,
		setImmediate,
	);

	constructor(context: CachedResourceContext<Value>) {
		this.#context = context;
	}

	async settle(pid: string): Promise<boolean> {
		const { rules, outcomes, checked, prioritize } = this.#context;
		// A missing value must be requested, whatever the checks find.
		if (checked && !this.#isKnown(pid) && this.#entry(pid)) await checked;
		const isFresh = !this.#whole.has(pid) && (this.#isKnown(pid) || rules.isFresh(pid, this.#entry(pid)));
		const request = this.#pending.get(pid) ?? (isFresh ? undefined : this.#request(pid));
		if (request) {
			prioritize(pid);
			await request.done;
		} else if (!this.#hasFailed(pid)) outcomes.settle(pid, 'unchanged');
		return !this.#hasFailed(pid) || this.#isShownStale(pid);
	}

	/** Whether {@link CachedResource.settle} would resolve at once, to `true`. */
	isSettled(pid: string): boolean {
		return this.#isKnown(pid) && !this.#whole.has(pid) && !this.#pending.has(pid) && !this.#hasFailed(pid);
	}

	/** At once if it is settled, so that a page need not wait. */
	load(pid: string): Loaded<Value> | Promise<Loaded<Value>> {
		const known = this.isSettled(pid) ? this.#read(pid) : undefined;
		return known ?? this.#wait(pid);
	}

	async #wait(pid: string): Promise<Loaded<Value>> {
		if (!(await this.settle(pid))) return NOTHING;
		let known = this.#read(pid);
		if (!known && !this.#hasFailed(pid)) {
			// The stored value cannot be read.
			this.#whole.add(pid);
			await this.#request(pid)?.done;
			if (!this.#hasFailed(pid)) known = this.#read(pid);
		}
		return this.isSettled(pid) ? (known ?? NOTHING) : { value: known?.value, version: undefined };
	}

	async digest(pid: string): Promise<string | undefined> {
		return (await this.settle(pid)) ? this.#entry(pid)?.digest : undefined;
	}

	async refresh(pid: string): Promise<void> {
		if (this.#hasFailed(pid)) return;
		const isFresh = !this.#whole.has(pid) && (this.#isKnown(pid) || (await this.#freshAmong(pid)).has(pid));
		if (isFresh) this.#context.outcomes.settle(pid, 'unchanged');
		else await this.#request(pid)?.answered;
	}

	async lookUp(pids: readonly string[]): Promise<void> {
		await this.#context.sharing?.lookUp(pids);
	}

	/** There are no more products that may have lost their reviews. */
	decideLosses(): void {
		this.#context.losses.decide();
	}

	/** Makes the next caller request the whole product, even if it is fresh or has just failed. */
	renew(pid: string): void {
		this.#whole.add(pid);
		this.#failed.delete(pid);
		this.#pending.delete(pid);
	}

	/** What became of the last request: its failure, if it failed, and what of its answer could not be used. */
	lastAnswer(pid: string) {
		return { failure: this.#failed.get(pid)?.failure, dropped: this.#dropped.get(pid) };
	}

	get #store(): ReviewStore {
		return this.#context.rules.context.store;
	}

	#entry(pid: string): StoredPart | undefined {
		return this.#store.entry(pid, this.#context.part);
	}

	#isKnown(pid: string): boolean {
		const { rules, outcomes } = this.#context;
		return rules.isBuild && outcomes.isSettled(pid);
	}

	/** Whether a product failed so recently that it is not requested again yet. */
	#hasFailed(pid: string): boolean {
		const { rules } = this.#context;
		const since = rules.context.now() - (this.#failed.get(pid)?.at ?? Number.NEGATIVE_INFINITY);
		return since >= 0 && since < rules.failureMemory;
	}

	#isShownStale(pid: string): boolean {
		const { rules } = this.#context;
		const failure = this.#failed.get(pid)?.failure;
		rules.assertGoing(failure);
		return rules.consequence(pid, this.#entry(pid), failure?.error).shows === 'the stored reviews';
	}

	#read(pid: string): Loaded<Value> | undefined {
		const { part, restore, rules } = this.#context;
		const known = this.#recent.get(pid);
		// Another process may change what a dev server shows.
		if (known && (rules.isBuild || known.version === this.#entry(pid)?.digest)) return known;
		const stored = this.#store.read(pid, part);
		if (stored === undefined) return undefined;
		const read = { value: restore(stored as never), version: this.#entry(pid)?.digest };
		this.#recent.set(pid, read);
		return read;
	}

	#request(pid: string): PendingRequest | undefined {
		const pending = this.#pending.get(pid);
		if (pending || this.#hasFailed(pid)) return pending;
		const answer = Promise.withResolvers<void>();
		// It begins when it is known to others.
		const done = Promise.resolve().then(async () => {
			try {
				await this.#fetch(pid, answer.resolve);
			} catch (error) {
				this.#fail(pid, error);
			} finally {
				if (this.#pending.get(pid) === request) this.#pending.delete(pid);
			}
		});
		const answered = Promise.race([done, answer.promise]);
		// If no page waits for it, the end of the build reports what went wrong.
		for (const promise of [done, answered]) promise.catch(() => {});
		const request = { done, answered };
		this.#pending.set(pid, request);
		return request;
	}

	async #fetch(pid: string, onAnswer: () => void): Promise<void> {
		const { sharing } = this.#context;
		// A whole answer is wanted where the stored one cannot be used.
		if (this.#whole.delete(pid)) return this.#fetchAs(pid, '', onAnswer);
		const request = () => this.#fetchAs(pid, this.#entry(pid)?.validators, onAnswer);
		if (!sharing) return request();
		if (await sharing.fetch(pid, request)) this.#settled(pid, 'unchanged');
	}

	async #fetchAs(pid: string, known: string | undefined, onAnswer: () => void): Promise<void> {
		const { part, fetch, rules, outcomes, losses } = this.#context;
		// A change that comes after the request may not be in its response.
		const { revision } = this.#store.markOf(pid);
		const { packed, isEmpty, dropped, validators, also } = await fetch(pid, known);
		const before = isEmpty ? this.#entry(pid) : undefined;
		if (before && losses.isLoss(pid, before)) {
			onAnswer();
			if (!(await losses.isBelieved(pid))) throw vanished();
		}
		const stamp = { fetchedAt: rules.context.now(), revision };
		if (packed) this.#store.put(pid, part, packed, { ...stamp, validators });
		else this.#store.touch(pid, part, { ...stamp, state: 'fetched' });
		const other = also && this.#store.entry(pid, also.part);
		// What is settled stays as it is, and a loss is decided on when that part is asked for.
		if (also && !rules.isFresh(pid, other) && !(also.isEmpty && other && holdsReviews(other)))
			this.#store.put(pid, also.part, also.packed, stamp);
		if (packed && !rules.isBuild) this.#dropped.set(pid, dropped);
		outcomes.addAnswer(pid, rules.isBuild ? dropped : {});
		this.#settled(pid, isEmpty ? 'missing' : packed ? 'fetched' : 'unchanged');
	}

	#settled(pid: string, status: 'missing' | 'fetched' | 'unchanged'): void {
		this.#failed.delete(pid);
		this.#context.outcomes.settle(pid, status);
	}

	#fail(pid: string, error: unknown): void {
		const { part, rules, outcomes } = this.#context;
		const { shows, status } = rules.consequence(pid, this.#entry(pid), error);
		const stale = shows === 'the stored reviews' && this.#store.read(pid, part) !== undefined;
		const failure = { pid, reason: describeFailure(error), stale, error };
		this.#failed.set(pid, { at: rules.context.now(), failure });
		// A dev server runs for days, and never writes a report.
		if (rules.isBuild) outcomes.failures.push(failure);
		if (stale) this.#store.touch(pid, part, { state: 'stale' });
		outcomes.settle(pid, stale || status !== 'stale' ? status : 'failed', failure.reason);
		rules.context.onFailure(failure);
		rules.assertGoing(failure);
	}
}
