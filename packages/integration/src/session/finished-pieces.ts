import type { StoredData } from '../render/component.js';
import type { Fragment, FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { finishFragment, sharedRequest, writePiece } from '../render/write-fragment.js';
import { keyOf, type PieceTask, setOf, toAttachment, toPiece } from '../service/pieces.js';
import type { Resource, ReviewStore } from '../store/review-store.js';
import { createNextReader, type ListOrder } from './create-next-reader.js';

/** Pieces of fragments, stored next to the data that they were written from. */
export interface FinishedPieces {
	/** The fragment, if its piece is stored. */
	find(from: Resource, pid: string, request: FragmentRequest): Fragment | undefined;
	/** Writes a fragment and stores its piece. @throws TypeError for an invalid prop. */
	write(from: Resource, pid: string, stored: StoredData[Resource], request: FragmentRequest): Fragment;
}

/** Number of products after which a request counts as one that all pages make. */
const SAMPLE = 3;
/** Maximum number of learned requests. Each one adds work for every fetched product. */
const MOST_LEARNED = 6;
/** Maximum number of counted requests. Some are unique to a page, such as those with the product's name as heading. */
const MOST_COUNTED = 100;

/**
 * @param order products in the order in which pages probably ask for them. @default unknown
 * @param onLearned called with the requests that pages make, so that pieces of other products can be written on fetch.
 */
export function createFinishedPieces(
	store: ReviewStore,
	settings: FragmentSettings,
	onLearned: (task: PieceTask) => void,
	order?: ListOrder,
): FinishedPieces {
	const set = setOf(settings);
	const counts = new Map<string, number>();
	const learned: FragmentRequest[] = [];

	const learn = (key: string, request: FragmentRequest) => {
		const count = (counts.get(key) ?? 0) + 1;
		if (count > 1 || counts.size < MOST_COUNTED) counts.set(key, count);
		if (count !== SAMPLE || learned.length >= MOST_LEARNED) return;
		learned.push(sharedRequest(request));
		onLearned({ set, requests: [...learned], settings });
	};
	const nextReader = (from: Resource) => order && createNextReader(order, store.table(from).readAhead);
	const nextReaders = { reviews: nextReader('reviews'), 'review-data': nextReader('review-data') };
	return {
		find(from, pid, request) {
			const attachment = store.table(from).attachment(pid, set, keyOf(request));
			if (!attachment) return undefined;
			nextReaders[from]?.(pid);
			return finishFragment(toPiece(attachment), request);
		},
		write(from, pid, stored, request) {
			const piece = writePiece(stored, request, settings);
			const table = store.table(from);
			const key = keyOf(request);
			const digest = table.entry(pid)?.digest;
			if (digest) table.attach(pid, digest, set, key, toAttachment(piece));
			learn(key, request);
			return finishFragment(piece, request);
		},
	};
}
