/**
 * Validators for conditional requests (RFC 9110, 8.8). They are plain strings, to be stored with the response they belong
 * to.
 */
export interface Validators {
	/** An entity tag as sent: `"a1"` or `W/"a1"`. */
	readonly etag?: string | undefined;
	/** An HTTP date as sent. */
	readonly lastModified?: string | undefined;
}
