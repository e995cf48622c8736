import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = fileURLToPath(new URL('../test/times.json', import.meta.url));

/** Where a file that takes less runs makes no difference, in seconds. */
const LEAST = 1;

/**
 * Writes down how long each file of tests took, by which the next run orders them.
 * @param results of files, as Vitest's JSON reporter gives them; what did not run keeps its time.
 */
export function recordTimes(results) {
	const times = new Map(Object.entries(JSON.parse(readFileSync(FILE, 'utf8'))));
	for (const { name, startTime, endTime } of results) {
		times.set(relative(ROOT, name), Math.round((endTime - startTime) / 1_000));
	}
	const kept = [...times]
		.filter(([name, seconds]) => seconds >= LEAST && existsSync(new URL(`../${name}`, import.meta.url)))
		.sort(([name, seconds], [other, otherSeconds]) => otherSeconds - seconds || (name < other ? -1 : 1));
	writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(kept), undefined, '\t')}\n`);
}
