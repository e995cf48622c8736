/** What a rebuild is for. */
export interface RebuildRequest {
	/** Products that changed; empty where `all` is. */
	readonly pids: readonly string[];
	/** Anything may have changed: everything is to be checked. */
	readonly all: boolean;
	/** Ends the rebuild. */
	readonly signal: AbortSignal;
	/** A line for the log. */
	readonly log: (line: string) => void;
	/** Is told of a process that runs for the rebuild, the leader of a group: it outlives a receiver that is killed. */
	readonly started?: ((pid: number) => void) | undefined;
}

/**
 * Rebuilds the site, or has it rebuilt. Resolves when that is done, or is another's business for sure.
 * @throws Error that says what went wrong; the products stay marked, and it is tried again.
 */
export type Rebuild = (request: RebuildRequest) => Promise<void>;
