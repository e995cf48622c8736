/** What to rebuild. */
export interface RebuildRequest {
	/** Products that changed; empty if `all` is set. */
	readonly pids: readonly string[];
	/** Anything may have changed: check everything. */
	readonly all: boolean;
	/** Ends the rebuild. */
	readonly signal: AbortSignal;
	/** Writes a log line. */
	readonly log: (line: string) => void;
	/** Call this with the id of a process group leader started for the rebuild: it outlives a receiver that is killed. */
	readonly started?: ((pid: number) => void) | undefined;
}

/**
 * Rebuilds the site, or triggers a rebuild elsewhere. Resolves when the rebuild is done, or was reliably handed over.
 * @throws Error that states what went wrong. The products stay marked and the rebuild is retried.
 */
export type Rebuild = (request: RebuildRequest) => Promise<void>;
