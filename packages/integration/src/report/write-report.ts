import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../store/make-folder.js';
import type { BuildReport } from './build-report.js';

/** Characters that are written at once: the report of a large store is never held whole. */
const PIECE = 65_536;

/**
 * Writes the report of a build: whole, or not at all. Products are a line each.
 * @param file where it lies; folders are made.
 * @throws Error where it cannot be written.
 */
export function writeReport(file: string, report: BuildReport): void {
	const unfinished = `${file}.${process.pid}.tmp`;
	makeFolder(dirname(file));
	try {
		writeAll(unfinished, linesOf(report));
		renameSync(unfinished, file);
	} finally {
		rmSync(unfinished, { force: true });
	}
}

function* linesOf({ products, ...others }: BuildReport): Generator<string> {
	const head = JSON.stringify(others, undefined, '\t');
	yield `${head.slice(0, head.lastIndexOf('\n}'))},\n\t"products": [`;
	let separator = '\n';
	for (const product of products) {
		yield `${separator}\t\t${JSON.stringify(product)}`;
		separator = ',\n';
	}
	yield '\n\t]\n}\n';
}

function writeAll(file: string, texts: Iterable<string>): void {
	const descriptor = openSync(file, 'w');
	try {
		let piece = '';
		for (const text of texts) {
			piece += text;
			if (piece.length < PIECE) continue;
			writeSync(descriptor, piece);
			piece = '';
		}
		writeSync(descriptor, piece);
	} finally {
		closeSync(descriptor);
	}
}
