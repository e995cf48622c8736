import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { figure, type Results } from '../../reference/figures.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Documents that are Markdown alone, and pages of the site that are not made from the source. */
const PLAIN = ['README.md', 'packages/integration/README.md'];
const GENERATED =
	/docs\/(?:errors|reference\/(?:options|components|labels|functions|commands|environment))\.md$/;
const PAGES = globSync('docs/src/content/docs/**/*.{md,mdx}', { cwd: ROOT }).filter(
	(path) => !GENERATED.test(path),
);

/** Times and ratios with a decimal, and sizes in MB or GB. Limits are written otherwise, such as ten seconds or 4 MiB. */
const MEASURED = /\d[\d,]*\.\d+\s?(?:s|ms|min|seconds|minutes|times|x)\b|\d[\d,.]*\s?[MGT]B\b/g;

/** A figure in plain Markdown, after a comment with its name. */
const NAMED = /<!-- ([\w@.-]+) -->([\d,.]+(?: [a-zA-Z]+)?)/g;

/** The text without code and frontmatter. */
function prose(text: string): string {
	return text
		.replace(/^---\n.*?\n---\n/s, '')
		.replace(/^[ \t]*(`{3,}).*?^[ \t]*\1$/gms, '')
		.replace(/`[^`\n]*`/g, '');
}

test.each([...PLAIN, ...PAGES])('%s has no measured figure that is typed in', (path) => {
	const text = prose(read(path));
	expect((PLAIN.includes(path) ? text.replace(NAMED, '') : text).match(MEASURED) ?? []).toEqual([]);
});

test.each(PLAIN)('the figures of %s are those of the benchmarks', (path) => {
	for (const [, name = '', written = ''] of read(path).matchAll(NAMED)) expect(written).toBe(figure(name));
});

test('pages name figures that a benchmark has', async () => {
	const { SCENARIOS, BAKED } = await import(join(ROOT, 'bench/scenarios.mjs'));
	const known = new Set([BAKED, ...SCENARIOS].map(({ name }: { name: string }) => name));
	const names = PAGES.flatMap((path) => [...read(path).matchAll(/:figure\[([^\]]*)\]/g)]).map(
		([, name = '']) => name,
	);
	expect(names.length).toBeGreaterThan(10);
	for (const name of names) {
		expect(figure(name)).not.toBe('');
		const [row = ''] = name.split(/[.@]/);
		if (name.includes('.') && !['update', 'receiver'].includes(row)) expect(known).toContain(row);
	}
});

describe('a figure', () => {
	const row = { title: '', cpuSeconds: 1, peakMegabytes: 3_686.3, requests: 5_000, rendered: 1, bars: [] };
	const results: Results = {
		date: '2026-11-24',
		node: 'v24.21.0',
		astro: '7.3.5',
		cpus: 2,
		cpuModel: 'AMD EPYC',
		memoryGigabytes: 24,
		n: 5_000,
		scenarios: [
			{ ...row, name: 'cold', products: 1_000, seconds: 2.04 },
			{ ...row, name: 'cold', products: 5_000, seconds: 13.394, ratio: 1.566 },
		],
		update: { sites: [{ products: 2_000, seconds: 0.263, peakMegabytes: 115, rebuildSeconds: 3.5 }] },
		receiver: { receiver: { perSecond: 12_993.7 } },
	};
	const large = { ...results, scenarios: [{ ...row, name: 'cold', products: 100_000, seconds: 165.85 }] };

	test.each([
		['cold.seconds', '13.4 s'],
		['cold@1000.seconds', '2.0 s'],
		['cold@100000.seconds', '166 s'],
		['cold.ratio', '1.57 times'],
		['cold.peakMegabytes', '3,686 MB'],
		['cold.requests', '5,000'],
		['update@2000.seconds', '0.26 s'],
		['receiver.perSecond', '13,000'],
		['machine', '2 cores (AMD EPYC) and 24 GB of memory'],
		['node', '24.21.0'],
		['warm.seconds', 'not measured yet'],
		['update@100000.seconds', 'not measured yet'],
	])('%s is written as %s', (name, text) => {
		expect(figure(name, [results, large])).toBe(text);
	});

	test.each(['cold', 'cold.second', 'weather'])('%s is none that a benchmark has', (name) => {
		expect(() => figure(name)).toThrow(`No benchmark has the figure "${name}".`);
	});
});
