import { within } from '../base/async.js';
import type { Freshness } from '../pages/page-source.js';
import type { Part, Records } from '../records/parts.js';
import type { ReviewStore } from '../reviews/parts.js';
import type { ReviewRepository } from '../reviews/repository.js';

interface WaitContext {
	readonly store: ReviewStore;
	/** Longest time that a page waits for a request, in milliseconds. */
	readonly timeout: number;
	/** Age up to which a page does not wait at all, in milliseconds. */
	readonly staleWhileRevalidate: number;
	/** Most requests at once, of known products and of others. */
	readonly maxProducts: number;
	/** Returns whether the service is known to have something of a product. Anybody can make up an id. */
	readonly isKnown: (pid: string) => boolean;
}

/** Ids that anybody can make up are counted on their own, so that they keep no known product waiting. */
type Group = 'known' | 'others';

interface Started {
	readonly group: Group;
	/** On the clock of the store. */
	readonly startedAt: number;
	readonly done: Promise<void>;
}

/** Limits how long pages of a server wait for a repository, and what made-up ids cost. */
export class BoundedWait<Of extends Part> {
	readonly repository: ReviewRepository<Of>;
	readonly #context: WaitContext;
	readonly #started = new Map<string, Started>();
	readonly #inFlight: Record<Group, number> = { known: 0, others: 0 };
	/** Until then, pages do not wait: one that shows many products waits only once for a service that hangs. */
	readonly #slowUntil: Record<Group, number> = { known: 0, others: 0 };

	constructor(repository: ReviewRepository<Of>, context: WaitContext) {
		this.repository = repository;
		this.#context = context;
	}

	/** Loads a record; `undefined` if there is none in time. */
	async load(pid: string): Promise<Records[Of] | undefined> {
		if (!this.repository.isFresh(pid)) {
			const started = this.#start(pid);
			if (started && this.#mayWait(pid)) await this.#waitFor(started);
		}
		return this.repository.peek(pid);
	}

	freshness(pid: string): Freshness {
		const { repository } = this;
		const state = repository.isFresh(pid) ? 'fresh' : repository.isUsable(pid) ? 'stale' : 'missing';
		return { state, changedAt: repository.entry(pid)?.changedAt };
	}

	/** Returns `undefined` if too many products are being requested, or this one has just failed. */
	#start(pid: string): Started | undefined {
		const { store, maxProducts, isKnown } = this.#context;
		const known = this.#started.get(pid);
		if (known && this.repository.isRequested(pid)) return known;
		const group = isKnown(pid) ? 'known' : 'others';
		const request = this.#inFlight[group] < maxProducts ? this.repository.request(pid) : undefined;
		if (!request) return undefined;
		this.#inFlight[group] += 1;
		const done = request.finally(() => {
			this.#inFlight[group] -= 1;
			if (this.#started.get(pid) === started) this.#started.delete(pid);
			if (!this.repository.hasFailed(pid)) this.#slowUntil[group] = 0;
		});
		const started = { group, startedAt: store.now(), done } as const;
		this.#started.set(pid, started);
		return started;
	}

	#mayWait(pid: string): boolean {
		const { store, staleWhileRevalidate } = this.#context;
		const stored = this.repository.entry(pid);
		if (!stored || this.repository.isOutdated(pid)) return true;
		return store.now() - stored.fetchedAt > staleWhileRevalidate;
	}

	async #waitFor({ group, startedAt, done }: Started): Promise<void> {
		const { store, timeout } = this.#context;
		const left = startedAt + timeout - store.now();
		if (left <= 0 || store.now() < this.#slowUntil[group]) return;
		await within(done, left, () => {
			this.#slowUntil[group] = store.now() + timeout;
		});
	}
}
