import QuickLRU from 'quick-lru';
import { type Content, hasNothing, PARTS, type Part, type Records, summaryOf } from '../records/parts.js';
import {
	type Change,
	isOutdated,
	type Mark,
	type MarkedBy,
	NO_MARK,
	type ReviewStore,
	type Stamp,
	type StoredPart,
	type StoredRecord,
} from './parts.js';

interface Kept extends StoredPart {
	readonly record: Records[Part];
	readonly changedAt: number;
}

/** Records of a part: of products with something to show, and of others. */
interface Rooms {
	readonly shown: QuickLRU<string, Kept>;
	/** Products with nothing to show. On their own, made-up ids push out no real product, however many they are. */
	readonly others: QuickLRU<string, Kept>;
}

/** Keeps parts in a bounded memory, on a clock that nobody sets. Uses no Node API. */
export class MemoryStore implements ReviewStore {
	readonly #maxProducts: number;
	readonly #rooms: Readonly<Record<Part, Rooms>>;
	/** Oldest first. */
	readonly #marks = new Map<string, Mark>();
	#markOfAll = NO_MARK;
	#revision = 0;
	#digests = 0;

	/** @param maxProducts products with something to show to keep of each part. Up to twice as many are. */
	constructor(maxProducts: number) {
		this.#maxProducts = maxProducts;
		const createRooms = (): Rooms => ({
			shown: new QuickLRU({ maxSize: maxProducts }),
			others: new QuickLRU({ maxSize: Math.ceil(maxProducts / 4) }),
		});
		this.#rooms = { reviews: createRooms(), 'review-data': createRooms(), rating: createRooms() };
	}

	now(): number {
		return performance.now();
	}

	entry(pid: string, part: Part): Kept | undefined {
		const { shown, others } = this.#rooms[part];
		return shown.peek(pid) ?? others.peek(pid);
	}

	entries(pids: readonly string[], part: Part): ReadonlyMap<string, Kept> {
		const found = pids.map((pid) => [pid, this.entry(pid, part)] as const);
		return new Map(found.filter((pair): pair is [string, Kept] => pair[1] !== undefined));
	}

	/** A record that is read stays longer than others. */
	read<Of extends Part>(pid: string, part: Of): StoredRecord<Of> | undefined {
		const { shown, others } = this.#rooms[part];
		return (shown.get(pid) ?? others.get(pid)) as StoredRecord<Of> | undefined;
	}

	put<Of extends Part>(pid: string, part: Of, content: Content<Of>, stamp: Stamp): void {
		if (!('record' in content)) throw new TypeError('A memory keeps records, and unpacks none.');
		const { record } = content;
		const before = this.entry(pid, part);
		const same = before && JSON.stringify(before.record) === JSON.stringify(record) ? before : undefined;
		this.#set(pid, part, {
			digest: same?.digest ?? String(++this.#digests),
			fetchedAt: stamp.fetchedAt,
			changedAt: stamp.changedAt ?? same?.changedAt ?? Date.now(),
			revision: stamp.revision,
			seen: stamp.seen,
			state: 'fetched',
			validators: 'validators' in stamp ? stamp.validators : same?.validators,
			summary: summaryOf(part, record),
			record,
		});
	}

	touch(pid: string, part: Part, change: Change): void {
		const kept = this.entry(pid, part);
		if (kept) this.#set(pid, part, { ...kept, ...change });
	}

	mark(pids: readonly string[] | 'all', by: MarkedBy): void {
		if (pids === 'all') {
			this.#markOfAll = this.#nextMark(this.#markOfAll, by);
			// A person's word about a product is contained in one about all that comes later.
			for (const [pid, mark] of this.#marks) {
				if (mark.confirmed <= this.#markOfAll.confirmed) this.#marks.delete(pid);
			}
			return;
		}
		for (const pid of pids) {
			const mark = this.#nextMark(this.markOf(pid), by);
			this.#marks.delete(pid);
			this.#marks.set(pid, mark);
		}
		this.#forgetMarks();
	}

	markOf(pid: string): Mark {
		const all = this.#markOfAll;
		const own = this.#marks.get(pid) ?? all;
		return {
			revision: Math.max(own.revision, all.revision),
			confirmed: Math.max(own.confirmed, all.confirmed),
		};
	}

	/** Returns whether a product has something to show. */
	shows(pid: string, part: Part): boolean {
		return this.#rooms[part].shown.has(pid);
	}

	/** Returns the products of a part that have something to show. */
	shown(part: Part): Iterable<string> {
		return this.#rooms[part].shown.keys();
	}

	#set(pid: string, part: Part, kept: Kept): void {
		const { shown, others } = this.#rooms[part];
		const [room, other] = hasNothing(part, kept.record as never) ? [others, shown] : [shown, others];
		other.delete(pid);
		room.set(pid, kept);
	}

	#nextMark({ confirmed }: Mark, by: MarkedBy): Mark {
		const revision = ++this.#revision;
		return { revision, confirmed: by === 'person' ? revision : confirmed };
	}

	/** Events name products that this server never shows: forgets marks that outdate nothing, oldest first. */
	#forgetMarks(): void {
		for (const [pid, mark] of this.#marks) {
			if (this.#marks.size <= this.#maxProducts) return;
			const isNeeded = PARTS.some((part) => {
				const kept = this.entry(pid, part);
				return kept !== undefined && isOutdated(kept, mark);
			});
			if (!isNeeded) this.#marks.delete(pid);
		}
	}
}
