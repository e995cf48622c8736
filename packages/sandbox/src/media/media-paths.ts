import { createHash } from 'node:crypto';

/** Everything below is a picture or a video that the sandbox serves itself. */
const MEDIA = '/media/';

/** Path of a product's picture, the same for the same id, whatever the id holds. */
export function productPicturePath(pid: string): string {
	return `${MEDIA}products/${createHash('sha256').update(pid).digest('hex').slice(0, 12)}.svg`;
}

/** Paths of a review's first `count` pictures. */
export function reviewPicturePaths(reviewId: string, count: number): string[] {
	return Array.from({ length: count }, (_, index) => `${MEDIA}reviews/${reviewId}/${index + 1}.svg`);
}

/** Path of a review's video. */
export function reviewVideoPath(reviewId: string): string {
	return `${MEDIA}reviews/${reviewId}/video.webm`;
}

/** An address as others reach it: the sandbox's own media at its origin, any other address as it is. */
export function atOrigin(address: string, origin: string): string {
	return address.startsWith(MEDIA) ? origin + address : address;
}
