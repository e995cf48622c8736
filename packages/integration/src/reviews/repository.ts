import QuickLRU from 'quick-lru';
import { inBatches } from '../base/async.js';
import { describeFailure } from '../base/failures.js';
import { PRODUCTS_PER_REQUEST } from '../constants.js';
import type { DroppedParts } from '../records/field-reader.js';
import {
	type AlsoAnswered,
	type Answer,
	type Checked,
	type Content,
	createAnswer,
	type Part,
	type Records,
} from '../records/parts.js';
import { NO_RATING, type Ratings } from '../records/rating.js';
import type { FetchPolicy } from './fetch-policy.js';
import { holdsReviews, type ReviewStore, type Stamp, type StoredPart } from './parts.js';
import type { Failure, Results } from './results.js';
import type { SharedAnswers } from './shared-answers.js';
import { type VanishGuard, vanished } from './vanish-guard.js';

export interface RepositoryContext<Of extends Part> {
	readonly part: Of;
	readonly policy: FetchPolicy;
	/** Asks the service. @param validators what came with the stored record; `undefined` for a whole answer */
	readonly fetch: (pid: string, validators: string | undefined) => Promise<Answer<Content<Of> | undefined>>;
	readonly guard: VanishGuard;
	/** Waits for the next turn of the event loop, so that products of the same turn are looked up together. */
	readonly nextTurn: () => Promise<unknown>;
	/** Moves the pending request for a product to the front, because a page waits for it. @default requests keep their order */
	readonly prioritize?: (pid: string) => void;
	/** Outcome for each product. Once settled, it holds until the end of the build. @default nothing is kept */
	readonly results?: Results | undefined;
	/** Answers that builders and servers share. @default nothing */
	readonly shared?: SharedAnswers<Of> | undefined;
	/** Resolves when it is known which stored products are outdated. @default this is not checked */
	readonly checked?: Promise<unknown> | undefined;
}

interface PendingRequest {
	/** Settles when its answer is stored. Rejects if its failure ends the page. */
	readonly done: Promise<void>;
	/** Settles when the service has answered, even if the answer is not believed yet. */
	readonly answered: Promise<void>;
	/** One whose answer cannot contain the last change, if it is still under way. */
	readonly earlier: PendingRequest | undefined;
	/** `true` if the product changed since. Nobody joins it any more. */
	isOutdated: boolean;
	/** `true` if a later request was answered before it. */
	isLate: boolean;
}

/** A record, if there is one. Its version changes exactly when it does; `undefined` if it may change before the build ends. */
export interface Loaded<Value> {
	readonly value: Value | undefined;
	readonly version: string | undefined;
}

const NOTHING = { value: undefined, version: undefined };

/** Products looked up at once. */
const BATCH = 200;

/** Records kept in memory after they were read: a page asks for a product several times. More would outlive their pages. */
const MAX_RECENT = 16;

/**
 * One part of all products, from a store or, if it is not fresh there, from the service. Decides when a product is
 * requested, for builds, dev servers, updates, content loaders and servers: concurrent callers share one request, failures
 * are remembered, and answers of other machines are taken over.
 */
export class ReviewRepository<Of extends Part> {
	readonly #context: RepositoryContext<Of>;
	readonly #store: ReviewStore;
	readonly #pending = new Map<string, PendingRequest>();
	readonly #failed = new Map<string, { readonly at: number; readonly failure: Failure }>();
	readonly #dropped = new Map<string, DroppedParts>();
	/** Products whose next request has no validators: with them, the service could answer that the stored record is current. */
	readonly #whole = new Set<string>();
	readonly #recent = new QuickLRU<string, Loaded<Records[Of]>>({ maxSize: MAX_RECENT });
	readonly #freshAmong: (pid: string) => Promise<ReadonlyMap<string, StoredPart>>;

	constructor(context: RepositoryContext<Of>) {
		const { part, policy, nextTurn } = context;
		this.#context = context;
		this.#store = policy.context.store;
		this.#freshAmong = inBatches(
			(pids) => {
				const entries = this.#store.entries(pids, part);
				return new Map([...entries].filter(([pid, stored]) => policy.isFresh(pid, stored)));
			},
			BATCH,
			nextTurn,
		);
	}

	entry(pid: string): StoredPart | undefined {
		return this.#store.entry(pid, this.#context.part);
	}

	/** Returns whether the product changed since the stored record was requested. */
	isOutdated(pid: string): boolean {
		const stored = this.entry(pid);
		return stored !== undefined && this.#context.policy.isOutdated(pid, stored);
	}

	/** Returns whether the stored record is shown without a request. */
	isFresh(pid: string): boolean {
		return (
			!this.#whole.has(pid) && (this.#isKnown(pid) || this.#context.policy.isFresh(pid, this.entry(pid)))
		);
	}

	/** Returns whether a stored record may be shown, if need be because the service fails. */
	isUsable(pid: string): boolean {
		const stored = this.entry(pid);
		return stored !== undefined && (this.isFresh(pid) || !this.#context.policy.isTooOld(stored));
	}

	/** Returns the stored record without a request; `undefined` if it is too old to be shown. */
	peek(pid: string): Records[Of] | undefined {
		return this.isUsable(pid) ? this.#store.read(pid, this.#context.part)?.record : undefined;
	}

	/** Returns whether a request is under way that may contain the last change. */
	isRequested(pid: string): boolean {
		return this.#pending.get(pid)?.isOutdated === false;
	}

	/**
	 * Requests a product, or joins the request for it.
	 * @returns a promise that resolves when the answer is stored; `undefined` if the product has just failed.
	 */
	request(pid: string): Promise<void> | undefined {
		return this.#request(pid)?.done;
	}

	/** Returns whether a product failed so recently that it is not requested again yet. */
	hasFailed(pid: string): boolean {
		const since = this.#store.now() - (this.#failed.get(pid)?.at ?? Number.NEGATIVE_INFINITY);
		return since >= 0 && since < this.#context.policy.failureMemory;
	}

	/** Waits until a product is fresh, or has failed. @returns `true` if there is something to show. */
	async settle(pid: string): Promise<boolean> {
		const { results, checked, prioritize } = this.#context;
		// A missing record must be requested, whatever the checks find.
		if (checked && !this.#isKnown(pid) && this.entry(pid)) await checked;
		const pending = this.isRequested(pid) ? this.#pending.get(pid) : undefined;
		const request = pending ?? (this.isFresh(pid) ? undefined : this.#request(pid));
		if (request) {
			prioritize?.(pid);
			await request.done;
		} else if (results && !this.hasFailed(pid) && !this.#isKnown(pid)) {
			results.settle(pid, this.#statusOf(this.entry(pid)));
		}
		return !this.hasFailed(pid) || this.#isShownStale(pid);
	}

	/** Returns whether {@link ReviewRepository.settle} would resolve at once, to `true`. */
	isSettled(pid: string): boolean {
		return this.#isKnown(pid) && !this.#whole.has(pid) && !this.#pending.has(pid) && !this.hasFailed(pid);
	}

	/** Loads a record, at once if it is settled, so that a page need not wait. */
	load(pid: string): Loaded<Records[Of]> | Promise<Loaded<Records[Of]>> {
		const known = this.isSettled(pid) ? this.#read(pid) : undefined;
		return known ?? this.#wait(pid);
	}

	async #wait(pid: string): Promise<Loaded<Records[Of]>> {
		if (!(await this.settle(pid))) return NOTHING;
		let known = this.#read(pid);
		if (!known && !this.hasFailed(pid)) {
			// The stored record cannot be read.
			this.#whole.add(pid);
			await this.#request(pid)?.done;
			if (!this.hasFailed(pid)) known = this.#read(pid);
		}
		return this.isSettled(pid) ? (known ?? NOTHING) : { value: known?.value, version: undefined };
	}

	async digest(pid: string): Promise<string | undefined> {
		return (await this.settle(pid)) ? this.entry(pid)?.digest : undefined;
	}

	/** Requests a product of the list unless it is fresh. Resolves when the service has answered. */
	async refresh(pid: string): Promise<void> {
		if (this.hasFailed(pid)) return;
		if (this.#isKnown(pid) && !this.#whole.has(pid)) return;
		const fresh = this.#whole.has(pid) ? undefined : (await this.#freshAmong(pid)).get(pid);
		if (fresh) this.#context.results?.settle(pid, this.#statusOf(fresh));
		else await this.#request(pid)?.answered;
	}

	/** Takes over what other machines have of products. */
	async lookUp(pids: readonly string[]): Promise<void> {
		await this.#context.shared?.lookUp(pids);
	}

	/** Makes the next caller request products that have changed. The store has been told before. */
	invalidate(pids: readonly string[] | 'all'): void {
		for (const pid of pids === 'all' ? [...this.#failed.keys(), ...this.#pending.keys()] : pids) {
			this.#failed.delete(pid);
			const pending = this.#pending.get(pid);
			if (pending) pending.isOutdated = true;
		}
	}

	/** Makes the next caller request the whole product, even if it is fresh or has just failed. */
	renew(pid: string): void {
		this.#whole.add(pid);
		this.invalidate([pid]);
	}

	/** Returns what became of the last request: its failure, if it failed, and what of its answer could not be used. */
	lastAnswer(pid: string) {
		return { failure: this.#failed.get(pid)?.failure, dropped: this.#dropped.get(pid) };
	}

	#isKnown(pid: string): boolean {
		const { policy, results } = this.#context;
		return policy.isBuild && results?.isSettled(pid) === true;
	}

	#isShownStale(pid: string): boolean {
		const { policy } = this.#context;
		const failure = this.#failed.get(pid)?.failure;
		policy.assertGoing(failure);
		return policy.consequence(pid, this.entry(pid), failure?.error).shows === 'the cached reviews';
	}

	#read(pid: string): Loaded<Records[Of]> | undefined {
		const { part, policy } = this.#context;
		const known = this.#recent.get(pid);
		// Another process may change what a dev server shows.
		if (known && (policy.isBuild || known.version === this.entry(pid)?.digest)) return known;
		const stored = this.#store.read(pid, part);
		if (!stored) return undefined;
		const read = { value: stored.record, version: stored.digest };
		this.#recent.set(pid, read);
		return read;
	}

	#request(pid: string): PendingRequest | undefined {
		const pending = this.#pending.get(pid);
		if (pending && !pending.isOutdated) return pending;
		if (this.hasFailed(pid)) return undefined;
		const answer = Promise.withResolvers<void>();
		// It begins when it is known to others.
		const done = Promise.resolve().then(async () => {
			try {
				await this.#fetch(pid, request, answer.resolve);
			} catch (error) {
				if (!request.isLate) this.#fail(pid, error);
			} finally {
				if (this.#pending.get(pid) === request) this.#pending.delete(pid);
			}
		});
		const answered = Promise.race([done, answer.promise]);
		// If no page waits for it, the end of the build reports what went wrong.
		for (const promise of [done, answered]) promise.catch(() => {});
		const request: PendingRequest = { done, answered, earlier: pending, isOutdated: false, isLate: false };
		this.#pending.set(pid, request);
		return request;
	}

	async #fetch(pid: string, request: PendingRequest, onAnswer: () => void): Promise<void> {
		const { shared } = this.#context;
		// A whole answer is wanted where the stored one cannot be used.
		if (this.#whole.delete(pid)) return this.#ask(pid, undefined, request, onAnswer);
		const ask = () => this.#ask(pid, this.entry(pid)?.validators, request, onAnswer);
		if (!shared) return ask();
		if (await shared.fetch(pid, ask)) this.#succeed(pid, this.#statusOf(this.entry(pid)));
	}

	async #ask(
		pid: string,
		known: string | undefined,
		request: PendingRequest,
		onAnswer: () => void,
	): Promise<void> {
		const { part, fetch, policy, results, guard, shared } = this.#context;
		// A change that comes after the request may not be in its answer.
		const { revision } = this.#store.markOf(pid);
		// A store may have forgotten the mark of what it has.
		const newest = Math.max(revision, this.entry(pid)?.revision ?? 0);
		const seen = shared?.seenOf(pid);
		const { content, isEmpty, dropped, validators, also } = await fetch(pid, known);
		// The request between them may have failed, so that the later one knows nothing of this one.
		const isLate = () => request.isLate || (this.entry(pid)?.revision ?? 0) > newest;
		if (isLate()) return;
		const before = isEmpty ? this.entry(pid) : undefined;
		if (before && guard.looksVanished(pid, before)) {
			onAnswer();
			const onRestored = (other: string) => this.#fail(other, vanished());
			const accepted = guard.accept(pid, onRestored);
			// What is accepted at once is stored at once, so that the guard can restore it.
			if (accepted !== true && !(await accepted)) throw vanished();
			if (isLate()) return;
		} else if (content && !isEmpty) guard.clear(pid);
		for (let { earlier } = request; earlier; { earlier } = earlier) earlier.isLate = true;
		const stamp = { fetchedAt: this.#store.now(), revision, seen };
		if (content) this.#store.put(pid, part, content, { ...stamp, validators });
		else this.#store.touch(pid, part, { ...stamp, state: 'fetched' });
		if (also) this.#putOther(pid, also, stamp);
		if (content && results && !policy.isBuild) this.#dropped.set(pid, dropped);
		results?.addAnswer(pid, policy.isBuild ? dropped : {});
		this.#succeed(pid, isEmpty ? 'missing' : content ? 'fetched' : this.#statusOf(this.entry(pid)));
	}

	/** Stores another part. One that is fresh stays as it is, and a loss is decided on when that part is asked for. */
	#putOther(pid: string, { part, content, isEmpty }: AlsoAnswered, stamp: Stamp): void {
		const stored = this.#store.entry(pid, part);
		if (this.#context.policy.isFresh(pid, stored) || (isEmpty && stored && holdsReviews(stored))) return;
		this.#store.put(pid, part, content, stamp);
	}

	/** Returns what is said of a product whose stored record is current. */
	#statusOf(stored: StoredPart | undefined): 'missing' | 'unchanged' {
		const hasReviews = this.#context.part === 'reviews' ? stored?.summary : stored && holdsReviews(stored);
		return hasReviews ? 'unchanged' : 'missing';
	}

	#succeed(pid: string, status: 'missing' | 'fetched' | 'unchanged'): void {
		this.#failed.delete(pid);
		this.#context.results?.settle(pid, status);
	}

	#fail(pid: string, error: unknown): void {
		const { part, policy, results } = this.#context;
		const { shows, status } = policy.consequence(pid, this.entry(pid), error);
		const stale = shows === 'the cached reviews' && this.#store.read(pid, part) !== undefined;
		const failure = { pid, reason: describeFailure(error), stale, error };
		if (!results) this.#forgetFailures();
		this.#failed.delete(pid);
		this.#failed.set(pid, { at: this.#store.now(), failure });
		// A dev server runs for days, and never writes a report.
		if (policy.isBuild) results?.failures.push(failure);
		if (stale) this.#store.touch(pid, part, { state: 'stale' });
		results?.settle(pid, stale || status !== 'stale' ? status : 'failed', failure.reason);
		policy.context.onFailure(failure);
		policy.assertGoing(failure);
	}

	/** Forgets failures that hold nothing back any more, oldest first: anybody can make up an id that fails. */
	#forgetFailures(): void {
		for (const pid of this.#failed.keys()) {
			if (this.hasFailed(pid)) return;
			this.#failed.delete(pid);
		}
	}
}

/**
 * Requests the ratings of products in lists. Products requested in the same turn of the event loop, such as all products
 * of a listing page, share one request per hundred.
 */
export function collectRatings(
	fetchRatings: (pids: readonly string[]) => Promise<Ratings>,
	nextTurn: () => Promise<unknown>,
): (pid: string) => Promise<Answer<Checked<'rating'>>> {
	const ratingsWith = inBatches(fetchRatings, PRODUCTS_PER_REQUEST, nextTurn);
	return async (pid) => {
		const ratings = await ratingsWith(pid);
		return createAnswer('rating', () => ratings.get(pid) ?? NO_RATING);
	};
}
