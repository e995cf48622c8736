/** What of the outside a live source works with. */
export interface LiveEnvironment {
	/** A variable of the server's environment. */
	readonly getSecret: (name: string) => string | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: () => number;
	/** Milliseconds of a clock that is never set. @default `now` where that is given, or else performance.now */
	readonly monotonicNow?: () => number;
	/** Calls back after a time. @returns what calls it off. @default a timer */
	readonly schedule?: (callback: () => void, milliseconds: number) => () => void;
	/** @default console.warn */
	readonly warn?: (message: string) => void;
}
