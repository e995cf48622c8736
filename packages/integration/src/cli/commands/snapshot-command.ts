import { openExistingFile } from '../../store/open-database.js';
import { amount, count, plainLine, printableJson, size } from '../../text/words.js';
import { loadSite } from '../site/load-site.js';
import { type Pulled, pullStore } from '../snapshot/pull-store.js';
import { type Pushed, pushStore } from '../snapshot/push-store.js';
import { AUTHORIZATION, namePlace, readPlace, type SnapshotPlace } from '../snapshot/transfer.js';
import { explain, locateStore, namePath, onStandardError, sitePlace } from './locate-store.js';
import type { CommandLine } from './read-command.js';

type Process = Pick<typeof process, 'env' | 'cwd' | 'stderr'>;

/**
 * Runs `store push` or `store pull`.
 * @returns texts to print.
 * @throws CommandError that says what is wrong, and what to do.
 */
export async function snapshotCommand(command: CommandLine, run: Process): Promise<string[]> {
	const startedAt = performance.now();
	const cwd = run.cwd();
	const isPush = command.name === 'store push';
	// Only the site itself says whose reviews are its own.
	const site = isPush ? undefined : await onStandardError(() => loadSite(sitePlace(command.place, cwd)));
	const given = command.place.store;
	const store =
		site && given === undefined ? site.project.storeFile() : locateStore(command.place, cwd).store;
	const place = readPlace(command.pids[0] ?? '', cwd);
	const name = 'file' in place ? namePath(place.file, cwd) : plainLine(namePlace(place), MOST_LETTERS);
	const log = (line: string) => void run.stderr.write(`${line}\n`);
	const context = {
		authorization: run.env[AUTHORIZATION]?.trim() || undefined,
		isTerminal: run.stderr.isTTY === true && !run.env['CI'],
		log,
		name: (file: string) => namePath(file, cwd),
		onSetAside: (reason: string) =>
			log(`The store at ${namePath(store, cwd)} could not be used, and was set aside: ${reason}.`),
	};
	try {
		const done =
			site === undefined
				? await push(store, place, context)
				: await pullStore(store, place, { ...context, account: site.project.connection().account });
		const seconds = (performance.now() - startedAt) / 1_000;
		if (command.json) return [`${printableJson({ ...done, seconds })}\n`];
		return ['isNew' in done ? describePulled(done, name, seconds) : describePushed(done, name, seconds)];
	} catch (cause) {
		throw explain(cause as Error, namePath(store, cwd));
	}
}

const MOST_LETTERS = 500;

async function push(
	store: string,
	place: SnapshotPlace,
	context: Parameters<typeof pushStore>[3],
): Promise<Pushed> {
	const database = openExistingFile(store);
	try {
		return await pushStore(database, store, place, context);
	} finally {
		database.close();
	}
}

function describePushed({ products, storeBytes, bytes }: Pushed, name: string, seconds: number): string {
	return `Pushed ${count(products, 'product')} to ${name}: ${size(storeBytes)} as ${size(bytes)}, in ${seconds.toFixed(1)} s\n`;
}

function describePulled(
	{ products, taken, kept, ignored, bytes, isNew }: Pulled,
	name: string,
	seconds: number,
): string {
	const what = isNew ? 'the store is new' : `${amount(taken)} newer than in the store, ${amount(kept)} not`;
	return `Pulled ${count(products, 'product')} from ${name}: ${what}; ${size(bytes)}, in ${seconds.toFixed(1)} s\n${describeIgnored(ignored)}`;
}

/** What a snapshot had and no site takes from one; empty if there was nothing. */
function describeIgnored({ ofOthers, ofFuture, unusable, ofOtherKinds }: Pulled['ignored']): string {
	const parts = [
		[ofOthers, 'of another service or website id'],
		[ofFuture, 'fetched in the future'],
		[unusable, 'damaged, or not what this version writes'],
		[ofOtherKinds, 'neither reviews nor ratings'],
	] as const;
	const found = parts.filter(([rows]) => rows > 0).map(([rows, what]) => `${count(rows, 'row')} ${what}`);
	return found.length > 0 ? `Ignored: ${found.join('; ')}\n` : '';
}
