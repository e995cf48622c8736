import { invalidateProducts } from './invalidate-products.js';
import { listProducts } from './list-products.js';
import { locateStore, namePath } from './locate-store.js';
import { printReport } from './print-report.js';
import type { CommandLine } from './read-command.js';
import { showProduct } from './show-product.js';
import { removeProducts, vacuumStore } from './trim-store.js';
import { useStore } from './use-store.js';
import { writeReportPage } from './write-report-page.js';

/** A command that only reads or changes the store. */
type StoreCommand = CommandLine & {
	readonly name: Exclude<
		CommandLine['name'],
		'publish' | 'refresh' | 'merge' | 'doctor' | 'store push' | 'store pull' | 'explain'
	>;
};

/** Where and when a command runs. */
export interface CommandContext {
	/** The working directory. */
	readonly cwd: string;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/**
 * Runs a command, and returns the texts to print. The work is done while they are read.
 * @throws Error if the command fails; the message is for people.
 */
export function runCommand(command: StoreCommand, { cwd, now }: CommandContext): Iterable<string> {
	const { name, pids, json, html, limit, isAll } = command;
	const { store, report } = locateStore(command.place, cwd);
	if (name === 'report') {
		return html
			? writeReportPage(report, html.file, cwd)
			: printReport(report, namePath(report, cwd), { json, now });
	}
	return useStore(store, namePath(store, cwd), (database) => {
		switch (name) {
			case 'store ls':
				return listProducts(database, { json, limit, now });
			case 'store show':
				return showProduct(database, pids[0] ?? '', { json, now });
			case 'store rm':
				return removeProducts(database, pids);
			case 'store vacuum':
				return vacuumStore(database, store);
			case 'invalidate':
				return invalidateProducts(database, isAll ? 'all' : pids, { json, now });
		}
	});
}
