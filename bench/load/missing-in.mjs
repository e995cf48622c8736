import { openSqliteLog } from '../../packages/webhook/dist/node/index.js';

/** How many of these events, and of so many products, a receiver's file does not hold. */
export async function missingIn(file, ids, products) {
	const log = openSqliteLog(file);
	try {
		const held = await log.count();
		const receivedAt = Date.now();
		// An event that was written before is not written again.
		const again = ids.map((id) =>
			log.record({ id, pids: ['again'], all: false, type: undefined, receivedAt }),
		);
		const isNew = await Promise.all(again);
		return { events: isNew.filter(Boolean).length, products: products - held.products };
	} finally {
		await log.close();
	}
}
