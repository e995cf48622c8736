import type { StoredData } from '../render/component.js';
import type { Fragment, FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { finishFragment, sharedRequest, writePiece } from '../render/write-fragment.js';
import { keyOf, type PieceTask, setOf, toAttachment, toPiece } from '../service/pieces.js';
import type { Resource, ReviewStore } from '../store/review-store.js';

/** Pieces of fragments that are kept in the store beside the data that they were written from. */
export interface FinishedPieces {
	/** The fragment, if its piece is kept. */
	find(from: Resource, pid: string, request: FragmentRequest): Fragment | undefined;
	/** Writes a fragment and keeps its piece. @throws TypeError for a prop that cannot be used. */
	write(from: Resource, pid: string, stored: StoredData[Resource], request: FragmentRequest): Fragment;
}

/** Products for which a page makes the same request before it is one that all pages make. */
const SAMPLE = 3;
/** Requests that are learned. Each costs every product that is fetched. */
const MOST_LEARNED = 6;
/** Requests that are counted: a page may make one of its own, such as with the product's name as heading. */
const MOST_COUNTED = 100;

/** @param onLearned called with the requests that pages make, so that other products are finished when they are fetched. */
export function createFinishedPieces(
	store: ReviewStore,
	settings: FragmentSettings,
	onLearned: (task: PieceTask) => void,
): FinishedPieces {
	const set = setOf(settings);
	const counts = new Map<string, number>();
	const learned: FragmentRequest[] = [];

	const learn = (key: string, request: FragmentRequest) => {
		const count = (counts.get(key) ?? 0) + 1;
		if (count > 1 || counts.size < MOST_COUNTED) counts.set(key, count);
		if (count !== SAMPLE || learned.length >= MOST_LEARNED) return;
		learned.push(sharedRequest(request));
		onLearned({ requests: [...learned], settings });
	};
	return {
		find(from, pid, request) {
			const attachment = store.table(from).attachment(pid, set, keyOf(request));
			return attachment && finishFragment(toPiece(attachment), request);
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
