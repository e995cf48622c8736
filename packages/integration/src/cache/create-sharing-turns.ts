import type { SharedKind, SharedWrite } from '../shared-storage/shared-values.js';
import type { Adoption } from './adopt-shared.js';
import type { SharingTurn, StoreSharingContext } from './build-storage.js';
import { knownOf, type SharedForm } from './shared-forms.js';

/** Starts the time in which this builder requests a product. @param release releases its lock. */
type Turns = (pid: string, release: () => Promise<void>) => SharingTurn;

/** What happens during a turn. */
interface TurnEvents {
	/** Called once, when the service has answered or failed. */
	readonly onAnswer: () => void;
	readonly onEnd: (pid: string) => void;
}

export function createSharingTurns<Kind extends SharedKind>(
	{ kind, table, rules, storage, writeBack }: StoreSharingContext<Kind>,
	form: SharedForm<Kind>,
	adoption: Omit<Adoption<Kind>, 'adopt'>,
	{ onAnswer, onEnd }: TurnEvents,
): Turns {
	return (pid, release) => {
		const stamp = adoption.stampOf(pid);
		const before = table.entry(pid);
		let isShared = false;
		const read = (): SharedWrite | undefined => {
			const stored = table.get(pid);
			if (!stored) return undefined;
			const value = form.toShared(stored.value, stored);
			const fetchedAt = storage.now() - (rules.now() - stored.fetchedAt);
			const changedAt = adoption.changedAt(pid, stored.digest) ?? sameSince(before, stored) ?? fetchedAt;
			return { kind, pid, value, known: knownOf(stored), fetchedAt, changedAt, stamp } as SharedWrite;
		};
		const finish = () => {
			adoption.forget(pid);
			void release();
		};
		let isAnswered = false;
		const answered = () => {
			if (!isAnswered) onAnswer();
			isAnswered = true;
		};
		return {
			answered,
			share() {
				isShared = true;
				writeBack.add(read, finish);
			},
			end() {
				answered();
				onEnd(pid);
				if (!isShared) finish();
			},
		};
	};
}

/** Since when the store has had the same value, as far as it knows. */
function sameSince(
	before: { readonly digest: string; readonly fetchedAt: number } | undefined,
	{ digest }: { readonly digest: string },
): number | undefined {
	return before?.digest === digest ? before.fetchedAt : undefined;
}
