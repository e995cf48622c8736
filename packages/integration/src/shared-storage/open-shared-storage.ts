import { createEventLog } from './create-event-log.js';
import { createLock } from './create-lock.js';
import { createPolls } from './create-polls.js';
import { createRunner } from './create-runner.js';
import { createSharedClock } from './create-shared-clock.js';
import type { SharedStorage } from './shared-storage.js';
import type { SharedEntry, SharedKind, SharedRead, SharedValues, Stamp } from './shared-values.js';
import type { StorageContext } from './storage-context.js';
import { createKeys } from './storage-keys.js';
import { readAnswer, type StoredAnswer, writeAnswer } from './stored-answer.js';

/** Opens the storage that instances and builders share. There is no connection before it is first used. */
export function openSharedStorage(context: StorageContext): SharedStorage {
	const { account } = context;
	const keys = createKeys(account);
	const clock = createSharedClock(context);
	const log = createEventLog(context, keys);
	const runner = createRunner(context);
	const share = () => runner.write(log.share);

	async function read<Kind extends SharedKind>(kind: Kind, pids: readonly string[]) {
		const wanted = pids.flatMap((pid) => [keys.mark(pid), keys.value(kind, pid)]);
		const texts = await runner.read((driver, onAnswer) => driver.get([keys.changes, ...wanted], onAnswer));
		const found = new Map<string, SharedRead<SharedValues[Kind]>>();
		if (!texts) return found;
		const stampOf = log.stamps(texts.get(keys.changes));
		for (const pid of pids) {
			const stamp = stampOf(pid, texts.get(keys.mark(pid)));
			const answer = readAnswer(texts.get(keys.value(kind, pid)), { account, kind, pid }, clock.latest());
			if (answer) clock.see(answer.fetchedAt);
			found.set(pid, { stamp, entry: answer && toEntry(answer, stamp) });
		}
		return found;
	}

	return {
		read,
		async write(entries) {
			const items = entries.flatMap((entry) => {
				const value = writeAnswer(account, entry);
				return value === undefined
					? []
					: [{ key: keys.value(entry.kind, entry.pid), value, isTransient: entry.isTransient }];
			});
			return items.length === 0 || runner.write((driver, onAnswer) => driver.set(items, onAnswer));
		},
		async outdate(pids) {
			log.add(pids);
			while (await runner.insist(log.share)) if (!log.isWaiting()) return true;
			return false;
		},
		poll: createPolls(runner, { keys, clock, log, share, monotonicNow: context.monotonicNow }),
		lock: createLock(runner, keys, context),
		now: clock.now,
		close: runner.close,
	};
}

function toEntry<Value>({ stamp, ...answer }: StoredAnswer<Value>, latest: Stamp): SharedEntry<Value> {
	const isBehind = (of: keyof Stamp) => latest[of] !== undefined && latest[of] !== stamp[of];
	return { ...answer, isOutdated: isBehind('product') || isBehind('all') };
}
