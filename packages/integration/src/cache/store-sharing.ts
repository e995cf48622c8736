import type { SharedKind } from '../shared-storage/shared-values.js';
import { createAdoption } from './adopt-shared.js';
import type { SharingTurn, StoreSharing, StoreSharingContext } from './build-storage.js';
import { createSharingTurns } from './create-sharing-turns.js';
import { createSlots } from './create-slots.js';
import { inBatches } from './in-batches.js';
import { SHARED_FORMS, type SharedForm } from './shared-forms.js';

/** Products per round trip. */
const BATCH = 100;
/** How long one builder may request a product before another one does, in milliseconds. One that dies leaves products locked for that long. */
const BUILD_LOCK_TIME = 10_000;
/** How long to wait before looking again whether another builder has the answer, in milliseconds. */
const WAIT = 100;

export function createStoreSharing<Kind extends SharedKind>(
	context: StoreSharingContext<Kind>,
): StoreSharing {
	const { kind, table, rules, storage, checked, monotonicNow, pause } = context;
	const form: SharedForm<Kind> = SHARED_FORMS[kind];
	const adoption = createAdoption(context, form);
	// Ratings are requested in lists.
	const slots = createSlots(kind === 'rating' ? Number.POSITIVE_INFINITY : context.slots);
	const isFresh = (pid: string) => rules.isFresh(pid, table.entry(pid));

	async function lookUp(pids: readonly string[], isRequest: boolean): Promise<void> {
		const entries = table.entries(pids);
		const wanted = pids.filter((pid) => !rules.isFresh(pid, entries.get(pid)));
		if (wanted.length > 0) adoption.adopt(await storage.read(kind, wanted), isRequest);
	}
	const look = inBatches((pids) => lookUp(pids, true), BATCH);

	const turnOf = createSharingTurns(context, form, adoption, { onAnswer: slots.free, onEnd: slots.calm });

	/** @returns whether the store has a fresh answer of another builder by now. */
	async function hasCome(pid: string): Promise<boolean> {
		await look(pid);
		if (isFresh(pid)) await checked;
		if (!isFresh(pid)) return false;
		slots.calm(pid);
		return true;
	}

	/** Tries once. @returns `'taken'` if another builder requests the product. */
	async function tryTurn(pid: string, insists: boolean): Promise<SharingTurn | 'taken' | undefined> {
		await slots.take(pid);
		const lock = await storage.lock(kind, pid, BUILD_LOCK_TIME);
		const isTaken = lock === 'taken' && !insists;
		if (isTaken) slots.free();
		// Another builder may have ended just before.
		const isFound = await hasCome(pid);
		const release = lock === 'taken' ? async () => {} : lock;
		if (isFound && !isTaken) {
			slots.free();
			void release();
		}
		if (isFound) return undefined;
		return isTaken ? 'taken' : turnOf(pid, release);
	}

	return {
		lookUp: (pids) => lookUp(pids, false),
		hurry: slots.hurry,
		async begin(pid) {
			const until = monotonicNow() + BUILD_LOCK_TIME;
			for (;;) {
				const turn = await tryTurn(pid, monotonicNow() >= until);
				if (turn !== 'taken') return turn;
				await pause(WAIT);
				if (await hasCome(pid)) return undefined;
			}
		},
	};
}
