import { openSqliteLog } from '../../packages/webhook/dist/node/index.js';

/** Counts how many of these events, and of this number of products, are missing from a receiver's file. */
export async function missingIn(file, ids, products) {
	const log = openSqliteLog(file);
	try {
		const held = await log.waiting();
		const receivedAt = Date.now();
		// Only events that are missing count as new.
		const again = ids.map((id) =>
			log.record({ id, pids: ['again'], all: false, type: undefined, receivedAt }),
		);
		const isNew = await Promise.all(again);
		return { events: isNew.filter(Boolean).length, products: products - (held?.pids.length ?? 0) };
	} finally {
		await log.close();
	}
}
