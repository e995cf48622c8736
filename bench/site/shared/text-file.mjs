import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Size of a position in the index, in bytes. */
const POSITION = 8;

/**
 * Creates a file of numbered texts. They are written one after the other, with an index of their ends in a second file.
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
 * Opens such a file. Texts are not kept in memory: reading the two texts of a page takes 50 microseconds if the system has
 * cached the file, while a map with those of 100,000 pages would take over 2 GB.
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
