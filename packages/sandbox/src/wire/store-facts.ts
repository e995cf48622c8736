/** What the wire format needs to know besides the records. */
export interface StoreFacts {
	/** Website id. */
	readonly wsid: string;
	/** The store's name. */
	readonly storeName: string;
	/** Address of a product page. */
	readonly productUrl: (pid: string) => string;
}
