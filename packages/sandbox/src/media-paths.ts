import { createHash } from 'node:crypto';

/** Prefix of the pictures and videos that the sandbox serves itself. */
const MEDIA = '/media/';

/** Depends only on the id, which may contain any characters. */
export function productPicturePath(pid: string): string {
	return `${MEDIA}products/${createHash('sha256').update(pid).digest('hex').slice(0, 12)}.svg`;
}

export function reviewPicturePaths(reviewId: string, count: number): string[] {
	return Array.from({ length: count }, (_, index) => `${MEDIA}reviews/${reviewId}/${index + 1}.svg`);
}

export function reviewVideoPath(reviewId: string): string {
	return `${MEDIA}reviews/${reviewId}/video.webm`;
}

/** Makes the sandbox's own media paths absolute; leaves all other URLs unchanged. */
export function atOrigin(address: string, origin: string): string {
	return address.startsWith(MEDIA) ? origin + address : address;
}
