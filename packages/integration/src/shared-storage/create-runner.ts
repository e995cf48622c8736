import { isSecretName, plainLine } from '../text/words.js';
import { type OpenDriver, openDriver } from './open-driver.js';
import type { StorageContext } from './shared-storage.js';

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

/** Longest description of an error, in UTF-16 code units. */
const MOST_LETTERS = 200;

/** S3 explains errors in XML. */
const MARKUP = /<[^<>]*>/g;

/** Values of the configuration that are too short to be secrets, such as a port, and would blank out words. */
const LEAST_SECRET = 6;

/**
 * Describes an error of a driver on one line. Drivers put addresses and answers into their messages, so credentials in
 * addresses and everything that the configuration names like a secret are taken out.
 */
export function describeError(error: unknown, config: unknown): string {
	const message = error instanceof Error ? error.message || error.name : String(error);
	let line = message;
	for (const secret of secretsOf(config, false)) line = line.replaceAll(secret, '…');
	line = line
		.replace(/\/\/\S*@/g, '//…@')
		.replace(MARKUP, ' ')
		.replace(/\?[^\s"']*/g, '?…');
	const plain = plainLine(line, MOST_LETTERS);
	return /[.!?…]$/.test(plain) ? plain : `${plain}.`;
}

function* secretsOf(config: unknown, isSecret: boolean): Generator<string> {
	if (typeof config === 'string') {
		if (isSecret && config.length >= LEAST_SECRET) yield config;
		if (URL.canParse(config)) yield* passwordsOf(new URL(config));
	} else if (typeof config === 'object' && config !== null) {
		for (const [name, value] of Object.entries(config))
			yield* secretsOf(value, isSecret || isSecretName(name));
	}
}

function* passwordsOf({ username, password }: URL): Generator<string> {
	for (const part of [username, password]) {
		if (part.length >= LEAST_SECRET) yield part;
	}
}

/** Runs operations of the storage, none of which may harm its caller. */
interface Guard {
	/**
	 * @param patience how long the caller waits, in milliseconds.
	 * @returns `undefined` if the operation failed, took too long, or was not tried.
	 */
	run<Result extends {}>(operation: Guarded<Result>, patience: number): Promise<Result | undefined>;
	/** The same for what must be tried even if the storage failed before. */
	insist<Result extends {}>(operation: Guarded<Result>, patience: number): Promise<Result | undefined>;
}

/** @param waitAgain starts the time that the caller waits anew. */
type Guarded<Result> = (waitAgain: () => void) => Promise<Result>;

/** How long nobody waits for the storage after a failure, in milliseconds. After it, one operation finds out whether it works again. */
const PAUSE = 1_000;

/** Shortest interval between warnings, in milliseconds. */
const WARNING_INTERVAL = 60_000;

/**
 * A storage that hangs costs a caller its patience once. After that, nobody waits, until an operation that runs in the
 * background succeeds.
 *
 * @param describe describes an error without secrets.
 */
function createGuard(
	{ monotonicNow, schedule, warn }: Pick<StorageContext, 'monotonicNow' | 'schedule' | 'warn'>,
	describe: (error: unknown) => string,
): Guard {
	let triedAgainAt: number | undefined;
	let warnedAt = Number.NEGATIVE_INFINITY;

	const fail = (why: string) => {
		triedAgainAt = monotonicNow() + PAUSE;
		if (monotonicNow() - warnedAt < WARNING_INTERVAL) return;
		warnedAt = monotonicNow();
		warn(`The shared storage failed: ${why} Meanwhile the service is asked. [PR_STORAGE_FAILED]`);
	};

	async function attempt<Result extends {}>(
		operation: Guarded<Result>,
		patience: number,
	): Promise<Result | undefined> {
		const late = Promise.withResolvers<undefined>();
		let isLate = false;
		const wait = startWait(schedule, patience, () => {
			isLate = true;
			fail(`it did not answer within ${patience} ms.`);
			late.resolve(undefined);
		});
		const done = Promise.resolve()
			.then(() => operation(wait.again))
			.then(
				(result) => {
					// A late result does not help anybody: the next one would be as late.
					if (!isLate) triedAgainAt = undefined;
					return result;
				},
				(error) => {
					fail(describe(error));
					return undefined;
				},
			);
		const result = await Promise.race([done, late.promise]);
		wait.end();
		return result;
	}

	return {
		insist: attempt,
		async run(operation, patience) {
			if (triedAgainAt === undefined) return attempt(operation, patience);
			if (monotonicNow() < triedAgainAt) return undefined;
			triedAgainAt = monotonicNow() + PAUSE;
			void attempt(operation, patience);
			return undefined;
		},
	};
}

/** Calls back when the time is over, which can be started anew until then. */
function startWait(schedule: StorageContext['schedule'], milliseconds: number, onOver: () => void) {
	let isOver = false;
	const start = () =>
		schedule(() => {
			isOver = true;
			onOver();
		}, milliseconds);
	let cancel = start();
	return {
		again() {
			if (isOver) return;
			cancel();
			cancel = start();
		},
		end() {
			isOver = true;
			cancel();
		},
	};
}
