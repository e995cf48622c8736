import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';

const ASTRO = new URL('../node_modules/astro/package.json', import.meta.url);

/** Writes the results and the environment, without paths or host names. */
export function writeResults(file, { products, nodeFlags }, summaries) {
	mergeResults(file, {
		date: new Date().toISOString().slice(0, 10),
		node: process.version,
		astro: JSON.parse(readFileSync(ASTRO, 'utf8')).version,
		cpus: availableParallelism(),
		cpuModel: cpus()[0]?.model ?? 'unknown',
		memoryGigabytes: Math.round(totalmem() / 2 ** 30),
		n: products,
		nodeFlags,
		isMet: summaries.every(({ bars }) => bars.every(({ met }) => met)),
		scenarios: summaries,
	});
}

/** Updates these parts of the results and keeps the others. */
export function mergeResults(file, parts) {
	const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
	const rounded = (_key, value) => (typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value);
	writeFileSync(file, `${JSON.stringify({ ...before, ...parts }, rounded, '\t')}\n`);
	console.log(`\nWritten to ${file}.`);
}

export function median(numbers) {
	const sorted = numbers.toSorted((a, b) => a - b);
	const half = sorted.length / 2;
	return (sorted[Math.floor(half)] + sorted[Math.ceil(half) - 1]) / 2;
}
