import { invalidateProducts } from './invalidate-products.js';
import { listProducts } from './list-products.js';
import { locateStore, namePath } from './locate-store.js';
import { printReport } from './print-report.js';
import type { Command } from './read-command.js';
import { removeProducts } from './remove-products.js';
import { showProduct } from './show-product.js';
import { useStore } from './use-store.js';
import { vacuumStore } from './vacuum-store.js';

/** What a command needs to know of where it runs. */
export interface Surroundings {
	/** The working directory. */
	readonly cwd: string;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/**
 * Does what the command line asks for while what it gives is read: the texts to print.
 * @throws Error where it cannot be done; the message is for people.
 */
export function runCommand(command: Command, { cwd, now }: Surroundings): Iterable<string> {
	const { name, pids, json, limit, isAll } = command;
	const { store, report } = locateStore(command.place, cwd);
	if (name === 'report') return printReport(report, namePath(report, cwd), { json, now });
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
