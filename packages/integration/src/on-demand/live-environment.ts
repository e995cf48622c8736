/** External dependencies of a live source. */
export interface LiveEnvironment {
	/** A variable of the server's environment. */
	readonly getSecret: (name: string) => string | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: () => number;
	/** Monotonic clock, in milliseconds. @default `now` if that is given, otherwise performance.now */
	readonly monotonicNow?: () => number;
	/** Calls back after a delay. @returns a function that cancels it. @default a timer */
	readonly schedule?: (callback: () => void, milliseconds: number) => () => void;
	/** @default console.warn */
	readonly warn?: (message: string) => void;
}
