import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { expect } from 'vitest';
import type { Outputs } from './sites.ts';

const FOLDER = new URL('recorded/', import.meta.url);
const IS_RECORDING = process.env['GOLDEN'] === 'record';

/** Pages of a site are much alike, so the window has to hold several of them. */
const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants;
const COMPRESSION = { params: { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS } };

/** More than these differences tell a reader no more. */
const MOST_SHOWN = 5;

/** Compares with what was recorded. With `GOLDEN=record` it is recorded instead, and the names of what changed are printed. */
export function expectGolden(name: string, outputs: Outputs): void {
	const file = fileURLToPath(new URL(`${name}.json.br`, FOLDER));
	if (IS_RECORDING) {
		record(file, outputs);
		return;
	}
	const recorded = read(file);
	expect(Object.keys(outputs).toSorted()).toEqual(Object.keys(recorded).toSorted());
	const different = Object.keys(outputs).filter((key) => outputs[key] !== recorded[key]);
	for (const key of different.slice(0, MOST_SHOWN)) expect.soft(outputs[key], key).toBe(recorded[key]);
	expect(different, 'what differs').toEqual([]);
}

function record(file: string, outputs: Outputs): void {
	let before: Outputs = {};
	try {
		before = read(file);
	} catch {
		// Recorded for the first time.
	}
	const names = new Set([...Object.keys(before), ...Object.keys(outputs)]);
	const changed = [...names].filter((key) => before[key] !== outputs[key]);
	console.log(
		`${file}: ${changed.length} of ${names.size} changed${changed.map((key) => `\n  ${key}`).join('')}`,
	);
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(file, brotliCompressSync(JSON.stringify(outputs, undefined, '\t'), COMPRESSION));
}

function read(file: string): Outputs {
	return JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
}
