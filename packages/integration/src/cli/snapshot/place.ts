import { resolve } from 'node:path';
import { CommandError } from '../../errors.js';

/** Where a snapshot is kept. */
export type SnapshotPlace = { readonly file: string } | { readonly url: URL };

/** Also a mistyped URL: as a path, it would be printed with its query. */
const LIKE_URL = /:\/\/|^\s*https?:/i;
const OWN_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Reads what the command line gives: a path, or a URL.
 * @param cwd the working directory.
 * @throws CommandError for a URL that cannot be used.
 */
export function readPlace(text: string, cwd: string): SnapshotPlace {
	if (!LIKE_URL.test(text)) return { file: resolve(cwd, text) };
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw misused('The place of a snapshot is the path of a file, or a URL that begins with https://.');
	}
	if (url.username || url.password) {
		throw misused(
			`The URL must not contain a password. Set ${AUTHORIZATION} to the value of the header Authorization.`,
		);
	}
	// Pages show what a snapshot contains, so nobody may change it on its way.
	if (url.protocol === 'http:' && !OWN_MACHINE.test(url.hostname)) {
		throw misused('The URL of a snapshot must begin with https://, except on this machine.');
	}
	return { url };
}

/** The value of the header `Authorization` that `store push` and `store pull` send to a URL, such as `Bearer ...`. */
export const AUTHORIZATION = 'REVIEWS_SNAPSHOT_AUTHORIZATION';

/** A place for a message. The query of a presigned URL is a secret. */
export function namePlace(place: { readonly url: URL }): string {
	return `${place.url.origin}${place.url.pathname}`;
}

function misused(message: string): CommandError {
	return new CommandError(
		'PR_USAGE',
		message,
		'Run astro-product-reviews --help for all commands and options.',
	);
}
