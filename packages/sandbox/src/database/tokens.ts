import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Generated access tokens. They do not expire. */
export const tokens = {
	/** Creates and stores a new random token. */
	generate(database: DatabaseSync, createdAt: string): string {
		const token = `sbx_${randomBytes(24).toString('base64url')}`;
		database.prepare('INSERT INTO tokens VALUES (?, ?)').run(token, createdAt);
		return token;
	},

	has(database: DatabaseSync, token: string): boolean {
		return database.prepare('SELECT 1 FROM tokens WHERE token = ?').get(token) !== undefined;
	},
};
