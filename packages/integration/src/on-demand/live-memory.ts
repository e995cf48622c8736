import QuickLRU from 'quick-lru';
import { areFewVanished, VANISHED_WITHIN, vanished } from '../failures/policy.js';
import { isEmpty } from '../parse/record.js';
import type { Freshness } from '../runtime/page-source.js';
import type { SharedStorage } from '../shared-storage/shared-storage.js';
import type { SharedAnswer, SharedKind, SharedValues } from '../shared-storage/stored-answer.js';

/**
 * Asks the service.
 * @param known what came with the remembered value.
 * @returns `'unchanged'` if that is current.
 */
type Ask<Value> = (
	pid: string,
	known: string | undefined,
) => Promise<{ readonly value: Value; readonly validators?: string | undefined } | 'unchanged'>;

export interface LiveMemoryContext {
	readonly maxAge: number;
	readonly staleWhileRevalidate: number;
	readonly staleIfError: number;
	readonly timeout: number;
	/** Products with something to show to remember, and most requests at once. */
	readonly maxProducts: number;
	/** Whether the service is known to have something of a product. Anybody can make up an id. */
	readonly isKnown: (pid: string) => boolean;
	readonly storage: () => SharedStorage | undefined;
	readonly onFailure: (pid: string, error: unknown) => void;
	/** Called with products that had something to show, and for which an empty answer is not believed: they are too many. */
	readonly onVanished: (lost: ReadonlySet<string>, products: number) => void;
}

interface Entry<Value> {
	readonly value?: Value;
	readonly known?: string | undefined;
	/** On the monotonic clock, like `failedAt`. */
	readonly fetchedAt: number;
	/** When the value was first seen, in milliseconds since 1970. */
	readonly changedAt?: number;
	failedAt?: number;
	/** Whether the product is known to have changed since. */
	isOutdated?: boolean;
}

/** Ids that anybody can make up are counted on their own, so that they keep no known product waiting. */
type Group = 'known' | 'others';

interface LiveRequest {
	readonly group: Group;
	readonly startedAt: number;
	/** Whether the product changed since. */
	isOutdated: boolean;
	done: Promise<void>;
}

/** A product that had something to show, and has nothing any more according to the service. */
interface Loss<Value> {
	readonly at: number;
	readonly entry: Entry<Value>;
	isBelieved: boolean;
}

/** How long a product that failed is not requested again, in milliseconds. */
const FAILURE_MEMORY = 10_000;

/** What a server remembers of products. Each has at most one request in flight, however many pages ask. */
export class LiveMemory<Value extends Parameters<typeof isEmpty>[0]> {
	readonly #kind: SharedKind;
	readonly #ask: Ask<Value>;
	readonly #context: LiveMemoryContext;
	readonly #shown: QuickLRU<string, Entry<Value>>;
	/** Products without anything to show. On their own, made-up ids push out no real product, however many they are. */
	readonly #others: QuickLRU<string, Entry<Value>>;
	readonly #requests = new Map<string, LiveRequest>();
	readonly #inFlight: Record<Group, number> = { known: 0, others: 0 };
	/** Until then, pages do not wait: one that shows many products waits only once for a service that hangs. */
	readonly #slowUntil: Record<Group, number> = { known: 0, others: 0 };
	readonly #losses = new Map<string, Loss<Value>>();

	constructor(kind: SharedKind, ask: Ask<Value>, context: LiveMemoryContext) {
		this.#kind = kind;
		this.#ask = ask;
		this.#context = context;
		// Each holds up to twice as many.
		this.#shown = new QuickLRU({ maxSize: context.maxProducts });
		this.#others = new QuickLRU({ maxSize: Math.ceil(context.maxProducts / 4) });
	}

	/** @returns `undefined` if there is no value in time. */
	async load(pid: string): Promise<Value | undefined> {
		const entry = this.#shown.get(pid) ?? this.#others.get(pid);
		if (this.#isFresh(entry)) return entry?.value;
		const request = this.#requests.get(pid) ?? this.#start(pid);
		const mayWait = !entry || entry.isOutdated || ageOf(entry) > this.#context.staleWhileRevalidate;
		if (request && mayWait) await this.#waitFor(request);
		return this.peek(pid);
	}

	/** What {@link LiveMemory.load} would return without a request. */
	peek(pid: string): Value | undefined {
		const entry = this.#peek(pid);
		return this.#isUsable(entry) ? entry?.value : undefined;
	}

	freshness(pid: string): Freshness {
		const entry = this.#peek(pid);
		const state = this.#isFresh(entry) ? 'fresh' : this.#isUsable(entry) ? 'stale' : 'missing';
		return { state, changedAt: entry?.changedAt };
	}

	has(pid: string): boolean {
		return this.#shown.has(pid);
	}

	isRequested(pid: string): boolean {
		return this.#requests.has(pid);
	}

	/** Makes products count as outdated until they are fetched again. @param pids `'all'` for all of them. */
	outdate(pids: readonly string[] | 'all'): void {
		const known = [...this.#shown.keys(), ...this.#others.keys(), ...this.#requests.keys()];
		for (const pid of pids === 'all' ? known : pids) {
			const entry = this.#peek(pid);
			if (entry) entry.isOutdated = true;
			if (entry) delete entry.failedAt;
			const request = this.#requests.get(pid);
			if (request) request.isOutdated = true;
			this.#requests.delete(pid);
		}
	}

	#peek(pid: string): Entry<Value> | undefined {
		return this.#shown.peek(pid) ?? this.#others.peek(pid);
	}

	#isFresh(entry: Entry<Value> | undefined): boolean {
		return entry !== undefined && !entry.isOutdated && ageOf(entry) <= this.#context.maxAge;
	}

	#isUsable(entry: Entry<Value> | undefined): boolean {
		const { staleIfError, staleWhileRevalidate } = this.#context;
		return entry !== undefined && ageOf(entry) <= Math.max(staleIfError, staleWhileRevalidate);
	}

	#set(pid: string, entry: Entry<Value> & { readonly value: Value }): void {
		const [place, other] = isEmpty(entry.value) ? [this.#others, this.#shown] : [this.#shown, this.#others];
		other.delete(pid);
		place.set(pid, entry);
	}

	/** @returns `undefined` if too many products are being requested, or this one has just failed. */
	#start(pid: string): LiveRequest | undefined {
		const group = this.#context.isKnown(pid) ? 'known' : 'others';
		const startedAt = performance.now();
		const failedAt = this.#peek(pid)?.failedAt ?? Number.NEGATIVE_INFINITY;
		const isFull = this.#inFlight[group] >= this.#context.maxProducts;
		if (isFull || startedAt - failedAt < FAILURE_MEMORY) return undefined;
		const request: LiveRequest = { group, startedAt, isOutdated: false, done: Promise.resolve() };
		this.#requests.set(pid, request);
		this.#inFlight[group] += 1;
		request.done = this.#fetch(pid, request)
			.catch((error) => this.#fail(pid, error))
			.finally(() => {
				this.#inFlight[group] -= 1;
				if (this.#requests.get(pid) === request) this.#requests.delete(pid);
			});
		return request;
	}

	async #waitFor({ group, startedAt, done }: LiveRequest): Promise<void> {
		const { timeout } = this.#context;
		const left = startedAt + timeout - performance.now();
		if (left <= 0 || performance.now() < this.#slowUntil[group]) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		const timer = setTimeout(() => {
			this.#slowUntil[group] = performance.now() + timeout;
			resolve();
		}, left);
		await Promise.race([done, promise]);
		clearTimeout(timer);
	}

	#fail(pid: string, error: unknown): void {
		const failedAt = performance.now();
		const shown = this.#shown.peek(pid);
		if (shown) shown.failedAt = failedAt;
		else this.#others.set(pid, { fetchedAt: Number.NEGATIVE_INFINITY, ...this.#others.peek(pid), failedAt });
		this.#context.onFailure(pid, error);
	}

	/** Takes over what another instance has, or else asks the service, and shares the answer. */
	async #fetch(pid: string, request: LiveRequest): Promise<void> {
		const storage = this.#context.storage();
		if (storage && (await this.#adopt(pid, request, storage))) return;
		const before = this.#peek(pid);
		const lastChange = storage?.lastChange;
		const sentAt = performance.now();
		const answer = await this.#ask(pid, before?.known);
		const { value, known } =
			answer === 'unchanged' ? (before ?? {}) : { value: answer.value, known: answer.validators };
		this.#slowUntil[request.group] = 0;
		const isLate = (this.#peek(pid)?.fetchedAt ?? Number.NEGATIVE_INFINITY) > sentAt;
		// One that was sent before a change may end after one that was sent since.
		if (value === undefined || isLate) return;
		if (!isEmpty(value)) this.#losses.delete(pid);
		else if (!this.#isPlausibleLoss(pid)) throw vanished();
		const isSame = before?.value !== undefined && JSON.stringify(before.value) === JSON.stringify(value);
		const changedAt = (isSame ? before.changedAt : undefined) ?? Date.now();
		const { isOutdated } = request;
		this.#set(pid, { value, known, fetchedAt: performance.now(), changedAt, isOutdated });
		// Anybody may have made up a product without anything to show.
		if (!storage || lastChange === undefined || isOutdated || isEmpty(value)) return;
		const shared = { value, fetchedAt: Date.now(), changedAt, lastChange };
		void storage.write(this.#kind, pid, shared as unknown as SharedAnswer<SharedValues[SharedKind]>);
	}

	/** @returns whether a fresh value is remembered now. */
	async #adopt(pid: string, request: LiveRequest, storage: SharedStorage): Promise<boolean> {
		const found = (await storage.read(this.#kind, [pid])).get(pid);
		if (!found) return false;
		const { changedAt } = found;
		const value = found.value as unknown as Value;
		const isOutdated = found.isOutdated || request.isOutdated;
		const fetchedAt = performance.now() - Math.max(0, Date.now() - found.fetchedAt);
		const own = this.#peek(pid);
		const isNewer = !isOutdated && (own?.isOutdated === true || fetchedAt > (own?.fetchedAt ?? 0));
		// Whether a product lost all its reviews is decided here, from what the service sends.
		const isLoss = this.#shown.has(pid) && isEmpty(value);
		if (own?.value === undefined || (isNewer && !isLoss)) {
			this.#set(pid, { value, fetchedAt, changedAt, isOutdated });
		}
		return this.#isFresh(this.#peek(pid));
	}

	/** Whether to believe that a product has nothing to show any more. If there turn out to be many, none of them is believed. */
	#isPlausibleLoss(pid: string): boolean {
		const entry = this.#shown.peek(pid);
		if (!entry) return true;
		const now = performance.now();
		for (const [other, { at, isBelieved }] of this.#losses) {
			// One that is not believed counts for as long as there is something to lose.
			if (isBelieved ? now - at >= VANISHED_WITHIN : !this.#shown.has(other)) this.#losses.delete(other);
		}
		this.#losses.set(pid, { at: now, entry, isBelieved: true });
		const products = new Set([...this.#shown.keys(), ...this.#losses.keys()]).size;
		if (areFewVanished(this.#losses.size, products)) return true;
		for (const [other, loss] of this.#losses) {
			loss.isBelieved = false;
			const { value } = loss.entry;
			if (this.#shown.has(other) || value === undefined) continue;
			this.#set(other, { ...loss.entry, value, changedAt: Date.now(), failedAt: now });
		}
		this.#context.onVanished(new Set(this.#losses.keys()), products);
		return false;
	}
}

/** In milliseconds. */
function ageOf({ fetchedAt }: { readonly fetchedAt: number }): number {
	return performance.now() - fetchedAt;
}
