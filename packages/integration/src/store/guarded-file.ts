import { basename } from 'node:path';
import { count } from '../text/words.js';
import { isUnusable } from './open-database.js';
import { openStoreFile, type StoreFile } from './open-store-file.js';
import type { Kind } from './review-store.js';
import type { Damage } from './row-upkeep.js';
import { setAside } from './set-aside.js';

/** The file of a store, with operations that warn instead of throwing. */
export interface GuardedFile {
	/** `false` after the store was closed. */
	readonly isOpen: boolean;
	/**
	 * Runs an operation. If the file turns out to be unusable, it is set aside once, and the operation runs on a new file.
	 * @param what was attempted, as a past participle, for the warning: "written".
	 * @returns `undefined` if the operation failed, or the store is closed.
	 */
	attempt<Result>(what: string, action: (file: StoreFile) => Result): Result | undefined;
	/**
	 * Makes good for lost marks, before anything is read.
	 * @param now milliseconds since 1970.
	 * @returns whether this could be done, or was not needed.
	 */
	mendMarks(now: number): boolean;
	/** Removes damaged rows. @param now milliseconds since 1970. */
	mend(now: number): void;
	/** Closes the file, and warns of the damaged rows that were found. */
	close(): void;
}

/**
 * Opens the file of a store. A damaged file is set aside, even if the damage is found only later. Single damaged rows are
 * skipped, counted, and reported when the store is closed.
 * @param warn called once for each kind of trouble.
 * @throws Error if no file can be made at all.
 */
export function openGuardedFile(file: string, account: string, warn: (message: string) => void): GuardedFile {
	const warned = new Set<string>();
	const damaged = new Set<string>();
	let areAllMarked = false;
	const addDamaged = (kind: string, pid: string) => void damaged.add(`${kind} ${pid}`);
	const warnSetAside = (reason: string) => warn(describeSetAside(file, reason));
	const events = { onSetAside: warnSetAside, onDamaged: (kind: Kind, pid: string) => addDamaged(kind, pid) };
	let open: StoreFile | undefined = openStoreFile(file, account, events);
	let isRenewed = false;

	function renew({ message }: Error): StoreFile {
		isRenewed = true;
		open?.close();
		setAside(file, open?.identity);
		warnSetAside(message);
		open = openStoreFile(file, account, events);
		return open;
	}
	function attempt<Result>(what: string, action: (file: StoreFile) => Result): Result | undefined {
		if (!open) return undefined;
		try {
			try {
				return action(open);
			} catch (error) {
				if (isRenewed || !isUnusable(error)) throw error;
				return action(renew(error));
			}
		} catch (error) {
			if (!warned.has(what))
				warn(
					`The store could not be ${what}: ${(error as Error).message}. The build goes on. [PR_STORE_UNUSABLE]`,
				);
			warned.add(what);
			return undefined;
		}
	}
	const note = (damage: Damage | undefined) => {
		for (const { kind, pid } of damage?.rows ?? []) addDamaged(kind, pid);
		areAllMarked ||= damage?.areAllMarked === true;
	};
	return {
		get isOpen() {
			return open !== undefined;
		},
		attempt,
		mendMarks(now) {
			const found = attempt('mended', (opened) => opened.mendMarks(now));
			note(found);
			return found !== undefined;
		},
		mend: (now) => note(attempt('mended', (opened) => opened.mend(damaged.size > 0, now))),
		close() {
			attempt('closed', (opened) => opened.close());
			if (open && (damaged.size > 0 || areAllMarked)) warn(describeDamage(damaged.size, areAllMarked));
			open = undefined;
		},
	};
}

function describeSetAside(file: string, reason: string): string {
	const to = `${basename(file)}.set-aside`;
	return `The store cannot be used (${reason}). It was renamed to "${to}"; a new one is built. [PR_STORE_UNUSABLE]`;
}

function describeDamage(rows: number, areAllMarked: boolean): string {
	return [
		rows > 0
			? `The store had ${count(rows, 'damaged row')}. Damaged rows are ignored and fetched again.`
			: 'The store was damaged, and has been mended.',
		...(areAllMarked
			? ['It may have lost which products have changed, so all products are requested again.']
			: []),
		'If this keeps happening, check the disk, and the cache that the store is restored from.',
	].join(' ');
}
