/** What a publish did. */
export interface Published {
	/** Files that were replaced, with their compressed copies and sitemaps, relative to the output folder. */
	readonly files: readonly string[];
	/** Pages that need a rebuild, with the reason. `page` is `null` if that is every page. */
	readonly rebuild: readonly PageToRebuild[];
	/** Products that show the same everywhere. */
	readonly unchanged: readonly string[];
	/** Products that no page shows: an id may be mistyped. */
	readonly notShown: readonly string[];
	/** Products for which the service failed. Their pages are as they were. */
	readonly failed: readonly FailedProduct[];
}

export interface PageToRebuild {
	/** Path of its address. */
	readonly page: string | null;
	readonly reason: string;
}

export interface FailedProduct {
	readonly pid: string;
	readonly reason: string;
}

/** Everything needs a rebuild, for one reason. */
export function rebuildAll(reason: string): Published {
	return { files: [], rebuild: [{ page: null, reason }], unchanged: [], notShown: [], failed: [] };
}
