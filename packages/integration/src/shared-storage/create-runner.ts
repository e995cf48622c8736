import { createGuard } from './create-guard.js';
import { describeError } from './describe-error.js';
import { type OpenDriver, openDriver } from './open-driver.js';
import type { StorageContext } from './storage-context.js';

/** Runs operations with the driver. */
export interface Runner {
	/**
	 * Runs one that a page may wait for.
	 * @returns `undefined` if it failed, took too long, or was not tried.
	 */
	read<Result extends {}>(operation: Operation<Result>): Promise<Result | undefined>;
	/** Runs one that no page waits for. @returns whether it succeeded. */
	write(operation: Operation<true>): Promise<boolean>;
	/** {@link Runner.write} for what must be tried even if the storage failed before. */
	insist(operation: Operation<true>): Promise<boolean>;
	close(): Promise<void>;
}
/** @param onAnswer to be called after each of several requests. */
type Operation<Result> = (driver: OpenDriver, onAnswer: () => void) => Promise<Result>;

/** How long callers wait for what they read, in milliseconds. */
const PATIENCE = 100;
/** How long writing may take at least, in milliseconds. */
const WRITE_PATIENCE = 2_000;

/** The driver is created by the first operation. */
export function createRunner(context: StorageContext): Runner {
	const { open, patience = PATIENCE, waitsForEach = false } = context;
	const writePatience = Math.max(patience, WRITE_PATIENCE);
	let opened: OpenDriver | undefined;
	let config: unknown;
	const guard = createGuard(context, (error) => describeError(error, config));
	const connect = (): OpenDriver => {
		if (opened) return opened;
		const driver = open();
		config = driver.options;
		opened = openDriver(driver);
		return opened;
	};
	const guarded =
		<Result>(operation: Operation<Result>) =>
		async (waitAgain: () => void) =>
			operation(connect(), waitsForEach ? waitAgain : () => {});
	return {
		read: (operation) => guard.run(guarded(operation), patience),
		write: async (operation) => (await guard.run(guarded(operation), writePatience)) === true,
		insist: async (operation) => (await guard.insist(guarded(operation), writePatience)) === true,
		close: async () => opened?.close(),
	};
}
