import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../store/make-folder.js';
import { inChunks } from '../text/in-chunks.js';
import type { BuildReport } from './build-report.js';

/**
 * Writes the report of a build, completely or not at all. Each product is one line.
 * @param file path; folders are made.
 * @throws Error if it cannot be written.
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
		for (const chunk of inChunks(texts)) writeSync(descriptor, chunk);
	} finally {
		closeSync(descriptor);
	}
}
