import { openExistingFile } from 'astro-product-reviews/internal/store';
import { amount, count, plainLine, printableJson, size } from 'astro-product-reviews/internal/text';
import { AUTHORIZATION, namePlace, readPlace, type SnapshotPlace } from '../snapshot/place.js';
import { type Pulled, pullStore } from '../snapshot/pull-store.js';
import { type Pushed, pushStore } from '../snapshot/push-store.js';
import { locateStore, namePath } from './locate-store.js';
import type { CommandLine } from './read-command.js';
import { explain } from './use-store.js';

type Process = Pick<typeof process, 'env' | 'cwd' | 'stderr'>;

/**
 * Runs `store push` or `store pull`.
 * @returns texts to print.
 * @throws CommandError that says what is wrong, and what to do.
 */
export async function snapshotCommand(command: CommandLine, run: Process): Promise<string[]> {
	const startedAt = performance.now();
	const cwd = run.cwd();
	const { store } = locateStore(command.place, cwd);
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
			command.name === 'store push'
				? await push(store, place, context)
				: await pullStore(store, place, context);
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
	{ products, taken, kept, bytes, isNew }: Pulled,
	name: string,
	seconds: number,
): string {
	const what = isNew ? 'the store is new' : `${amount(taken)} newer than in the store, ${amount(kept)} not`;
	return `Pulled ${count(products, 'product')} from ${name}: ${what}; ${size(bytes)}, in ${seconds.toFixed(1)} s\n`;
}
