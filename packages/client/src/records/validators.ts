/**
 * With what the service can be asked whether its answer is still the same (RFC 9110, 8.8). Plain strings, to be kept
 * beside what came with them.
 */
export interface Validators {
	/** An entity tag as it was sent: `"a1"` or `W/"a1"`. */
	readonly etag?: string | undefined;
	/** An HTTP date as it was sent. */
	readonly lastModified?: string | undefined;
}
