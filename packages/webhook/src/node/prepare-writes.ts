import type { DatabaseSync } from 'node:sqlite';
import { isWhole } from './row-proof.js';

/** The statements that write changes and events. A damaged row is never changed into one that looks whole. */
export function prepareWrites(database: DatabaseSync) {
	return {
		addEvent: database.prepare(
			`INSERT INTO events (id, received_at, proof) VALUES (?1, ?2, proof(?1, ?2))
			ON CONFLICT (id) DO UPDATE SET received_at = excluded.received_at, proof = excluded.proof
			WHERE NOT (${isWhole('events')})`,
		),
		removeEvents: database.prepare('DELETE FROM events WHERE received_at < ?'),
		nextNumber: database.prepare(
			`UPDATE numbers SET last = last + 1, proof = proof(last + 1) WHERE ${isWhole('numbers')}`,
		),
		mark: database.prepare(
			`INSERT INTO changes (pid, sequence, first_at, last_at, proof)
			SELECT ?1, last, ?2, ?3, proof(?1, last, ?2, ?3) FROM numbers WHERE true
			ON CONFLICT (pid) DO UPDATE SET sequence = excluded.sequence, last_at = max(last_at, excluded.last_at),
				proof = proof(pid, excluded.sequence, first_at, max(last_at, excluded.last_at))
			WHERE ${isWhole('changes')}`,
		),
		settle: {
			remove: database.prepare('DELETE FROM changes WHERE sequence <= ?'),
			postpone: database.prepare(
				`UPDATE changes SET first_at = max(first_at, ?1), proof = proof(pid, sequence, max(first_at, ?1), last_at)`,
			),
		},
	};
}
