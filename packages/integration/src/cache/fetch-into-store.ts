import { type Losses, vanished } from '../failures/create-losses.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { Failure, Outcomes } from '../outcomes/create-outcomes.js';
import type { DroppedParts } from '../parse/dropped-parts.js';
import type { Fetched } from '../service/review-service.js';
import type { Table } from '../store/review-store.js';
import type { StoreSharing } from './build-storage.js';
import type { Flight } from './cached-resource.js';
import type { ResourceRules } from './resource-rules.js';

/** What fetching products of one resource works with. */
export interface StoreFetchContext {
	readonly table: Table<unknown>;
	/** Requests a product from the service and checks the answer. */
	readonly fetch: (pid: string, validators: string | undefined) => Promise<Fetched>;
	readonly rules: ResourceRules;
	/** The outcome of each product. Once settled, it holds until the end of the build. */
	readonly outcomes: Pick<Outcomes, 'settle' | 'isSettled' | 'addAnswer' | 'addFailure'>;
	/** Decides whether to believe that products have lost all their reviews. @default every loss is believed */
	readonly losses?: Losses;
	/** What builders share. @default nothing */
	readonly sharing?: StoreSharing | undefined;
}

/** Fetches products into the store and remembers failures. */
export interface StoreFetch {
	/** @param validators of the stored value; `''` to force a full answer. */
	fetch(pid: string, flight: Flight, validators?: string): Promise<void>;
	/** @throws ReviewsUnavailableError if the failure ends the page. */
	onFailure(pid: string, error: unknown): void;
	/** The last failure of a product, and when it was, on the monotonic clock. */
	failureOf(pid: string): { readonly at: number; readonly failure: Failure } | undefined;
	/** Lets a failed product be requested again at once. */
	forgetFailure(pid: string): void;
	/** Whether a failed product is shown from the store. @throws ReviewsUnavailableError if any failure ends the build. */
	isShownStale(pid: string): boolean;
	/** What became of the last request for a product. */
	lastAnswer(pid: string): LastAnswer;
}

/** What became of the last request for a product. */
export interface LastAnswer {
	/** `undefined` if it did not fail. */
	readonly failure: Failure | undefined;
	/** What the last whole answer lost, on a dev server; `undefined` if there was none since it started. */
	readonly dropped: DroppedParts | undefined;
}

export function createStoreFetch(context: StoreFetchContext): StoreFetch {
	const { table, rules, outcomes, sharing } = context;
	const failed = new Map<string, { readonly at: number; readonly failure: Failure }>();
	const droppedParts = new Map<string, DroppedParts>();
	const consequence = (pid: string, error: unknown) => rules.consequence(table.entry(pid), pid, error);
	const settle = (pid: string, status: 'missing' | 'fetched' | 'unchanged') => {
		failed.delete(pid);
		outcomes.settle(pid, status);
	};

	const request = createRequest(context, settle, droppedParts);

	return {
		async fetch(pid, flight, validators) {
			// A whole answer is wanted where the stored one cannot be used.
			if (!sharing || validators === '') return request(pid, flight, validators);
			const turn = await sharing.begin(pid);
			if (!turn) return settle(pid, 'unchanged');
			try {
				await request(pid, flight, validators, turn.answered);
				turn.share();
			} finally {
				turn.end();
			}
		},
		onFailure(pid, error) {
			const { shows, status } = consequence(pid, error);
			const stale = shows === 'the stored reviews' && table.get(pid) !== undefined;
			const failure = { pid, reason: describeFailure(error), stale, error };
			failed.set(pid, { at: rules.monotonicNow(), failure });
			// A dev server runs for days, and never writes a report.
			if (rules.isBuild) outcomes.addFailure(failure);
			if (stale) table.change(pid, { state: 'stale' });
			outcomes.settle(pid, stale || status !== 'stale' ? status : 'failed', failure.reason);
			rules.onFailure(failure);
			if (shows === 'an error') throw rules.ending(failure);
		},
		failureOf: (pid) => failed.get(pid),
		forgetFailure: (pid) => void failed.delete(pid),
		lastAnswer: (pid) => ({ failure: failed.get(pid)?.failure, dropped: droppedParts.get(pid) }),
		isShownStale(pid) {
			const failure = failed.get(pid)?.failure;
			if (failure && rules.endsOnFailure) throw rules.ending(failure);
			return consequence(pid, failure?.error).shows === 'the stored reviews';
		},
	};
}

/** Returns a function that requests a product and stores the answer. */
function createRequest(
	{ table, fetch, rules, outcomes, losses }: StoreFetchContext,
	settle: (pid: string, status: 'missing' | 'fetched' | 'unchanged') => void,
	droppedParts: Map<string, DroppedParts>,
) {
	return async (
		pid: string,
		flight: Flight,
		known = table.entry(pid)?.validators,
		onAnswer = () => {},
	): Promise<void> => {
		const { packed, isEmpty, dropped, validators } = await fetch(pid, known);
		onAnswer();
		const before = isEmpty && losses ? table.entry(pid) : undefined;
		if (before && losses?.isLoss(pid, before)) {
			flight.arrive();
			if (!(await losses.isBelieved(pid))) throw vanished();
		}
		if (packed) table.put(pid, packed, rules.now(), validators);
		else table.change(pid, { fetchedAt: rules.now(), state: 'fetched' });
		if (packed && !rules.isBuild) droppedParts.set(pid, dropped);
		outcomes.addAnswer(pid, rules.isBuild ? dropped : {});
		settle(pid, isEmpty ? 'missing' : packed ? 'fetched' : 'unchanged');
	};
}
