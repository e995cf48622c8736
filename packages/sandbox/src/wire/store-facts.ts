/** Facts that the wire format needs in addition to the records. */
export interface StoreFacts {
	/** Website id. */
	readonly wsid: string;
	/** The store's name. */
	readonly storeName: string;
	/** Returns the URL of a product page. */
	readonly productUrl: (pid: string) => string;
}
