import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** How long a file that a killed process left stays, in milliseconds: a day. */
const LEFT_FOR = 86_400_000;

/**
 * Names a temporary file beside another one, of this process alone. Removes those that killed processes left there.
 * @param now milliseconds since 1970.
 * @example temporaryBeside('/shop/reviews.db', Date.now()) // '/shop/reviews.db.4711.tmp'
 */
export function temporaryBeside(file: string, now: number): { readonly path: string; remove(): void } {
	const path = `${file}.${process.pid}.tmp`;
	const remove = () => {
		for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
	};
	for (const name of readdirSync(dirname(file))) {
		const other = join(dirname(file), name);
		if (!name.startsWith(`${basename(file)}.`) || !/\.\d+\.tmp$/.test(name)) continue;
		const found = statSync(other, { throwIfNoEntry: false });
		if (found && now - found.mtimeMs > LEFT_FOR) rmSync(other, { force: true });
	}
	remove();
	return { path, remove };
}
