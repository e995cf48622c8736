import type { Piece, StoredData } from '../render/component.js';
import type { FragmentRequest, FragmentSettings } from '../render/fragment.js';
import { componentOf, sharedRequest, writePiece } from '../render/write-fragment.js';
import type { Attachment, Attachments } from '../store/attachments.js';
import { digestOf } from '../store/pack.js';
import type { Resource } from '../store/review-store.js';
import { VERSION } from '../version.js';

/** Pieces to write when a product is fetched, so that pages need not write them. */
export interface PieceTask {
	/** As {@link setOf} returns it for the settings. */
	readonly set: string;
	readonly requests: readonly FragmentRequest[];
	readonly settings: FragmentSettings;
}

/** Identifies the version and settings that pieces are written with, because others write different ones. */
export function setOf(settings: FragmentSettings): string {
	const { display, labels, publishers, author } = settings;
	return digestOf(JSON.stringify([VERSION, display, labels, publishers, author]));
}

/** Identifies a piece among those of a product. */
export function keyOf(request: FragmentRequest): string {
	return JSON.stringify(sharedRequest(request));
}

export function toAttachment({ html, ...about }: Piece): Attachment {
	return { text: html, about };
}

export function toPiece({ text, about }: Attachment): Piece {
	return { ...(about as Omit<Piece, 'html'>), html: text };
}

/** Writes all pieces of a product that are based on this resource; `undefined` if there are none. */
export function writePieces<From extends Resource>(
	{ set, requests, settings }: PieceTask,
	from: From,
	stored: StoredData[From],
): Attachments | undefined {
	const items: Record<string, Attachment> = {};
	for (const request of requests) {
		if (componentOf(request).from !== from) continue;
		try {
			items[keyOf(request)] = toAttachment(writePiece(stored, request, settings));
		} catch {
			// The page that makes the request reports what is wrong with its props.
		}
	}
	return Object.keys(items).length > 0 ? { set, items } : undefined;
}
