import type { Piece, StoredData } from '../render/component.js';
import type { FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { componentOf, sharedRequest, writePiece } from '../render/write-fragment.js';
import type { Attachment, Attachments } from '../store/attachments.js';
import { digestOf } from '../store/pack.js';
import type { Resource } from '../store/review-store.js';
import { VERSION } from '../version.js';

/** Which pieces are written when a product is fetched, so that pages find them finished. */
export interface PieceTask {
	readonly requests: readonly FragmentRequest[];
	readonly settings: FragmentSettings;
}

/** Names what pieces are written with: another version or other settings write others. */
export function setOf(settings: FragmentSettings): string {
	const { display, labels, publishers, author } = settings;
	return digestOf(JSON.stringify([VERSION, display, labels, publishers, author]));
}

/** Names a piece among those of a product. */
export function keyOf(request: FragmentRequest): string {
	return JSON.stringify(sharedRequest(request));
}

export function toAttachment({ html, ...about }: Piece): Attachment {
	return { text: html, about };
}

export function toPiece({ text, about }: Attachment): Piece {
	return { ...(about as Omit<Piece, 'html'>), html: text };
}

/** Writes all pieces of a product that are made from this resource. */
export function writePieces<From extends Resource>(
	{ requests, settings }: PieceTask,
	from: From,
	stored: StoredData[From],
): Attachments {
	const items: Record<string, Attachment> = {};
	for (const request of requests) {
		if (componentOf(request).from !== from) continue;
		try {
			items[keyOf(request)] = toAttachment(writePiece(stored, request, settings));
		} catch {
			// The page that makes the request reports what is wrong with its props.
		}
	}
	return { set: setOf(settings), items };
}
