import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Bytes of a position in the index. */
const POSITION = 8;

/**
 * A file of texts by number. Writes them one after the other, and beside them an index of where each ends.
 * @param path of the file.
 */
export function writeTextFile(path) {
	const [texts, index] = [openSync(path, 'w'), openSync(`${path}.index`, 'w')];
	let end = 0;
	const mark = () => {
		const position = Buffer.alloc(POSITION);
		position.writeDoubleLE(end);
		writeSync(index, position);
	};
	mark();
	return {
		/** @param bytes of the next text. */
		add(bytes) {
			end += writeSync(texts, bytes);
			mark();
		},
		close() {
			closeSync(texts);
			closeSync(index);
		},
	};
}

/**
 * Reads such a file. Nothing of it is held: the two texts of a page take 50 microseconds from a file that
 * the system has in memory, while those of 100,000 pages in one map would weigh over 2 GB.
 */
export function openTextFile(path) {
	const [texts, index] = [openSync(path, 'r'), openSync(`${path}.index`, 'r')];
	const positions = Buffer.alloc(2 * POSITION);
	return {
		/** @param number of the text, from 0. */
		read(number) {
			readSync(index, positions, 0, positions.length, number * POSITION);
			const [start, end] = [positions.readDoubleLE(0), positions.readDoubleLE(POSITION)];
			const bytes = Buffer.allocUnsafe(end - start);
			readSync(texts, bytes, 0, bytes.length, start);
			return bytes;
		},
	};
}
