import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** How long a file that a killed process left stays, in milliseconds: a day. */
const LEFT_FOR = 86_400_000;

const SUFFIX = /\.[0-9a-f]{16}\.tmp(?:-journal|-wal|-shm)?$/;

/**
 * Names a temporary file beside another one. The name is random, because processes of two containers that share a folder
 * may have the same id. Removes files that killed processes left there.
 * @param now milliseconds since 1970.
 * @example temporaryBeside('/shop/reviews.db', Date.now()) // '/shop/reviews.db.3f9c5a0b7d21e864.tmp'
 */
export function temporaryBeside(file: string, now: number): { readonly path: string; remove(): void } {
	const path = `${file}.${randomBytes(8).toString('hex')}.tmp`;
	const remove = () => {
		for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
	};
	for (const name of readdirSync(dirname(file))) {
		const other = join(dirname(file), name);
		if (!name.startsWith(`${basename(file)}.`) || !SUFFIX.test(name)) continue;
		const found = statSync(other, { throwIfNoEntry: false });
		if (found && now - found.mtimeMs > LEFT_FOR) rmSync(other, { force: true });
	}
	return { path, remove };
}
