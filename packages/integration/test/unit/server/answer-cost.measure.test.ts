import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** What one answer cost a server: see the script. */
type Cost = Record<'bytes' | 'megabytes' | 'blocked' | 'total', number> & { readonly name: string };

const SCRIPT = fileURLToPath(new URL('../../support/unit/hostile-answers.mjs', import.meta.url));

test('an answer of up to 8 MiB costs a server at most 300 MB and 2 s, and one of 4 MB holds it up for less than a second', async () => {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--expose-gc', '--max-old-space-size=300', SCRIPT],
		{ maxBuffer: 1_048_576 },
	);
	const [parsing = '', ...lines] = stdout.trim().split('\n');
	const costs: Cost[] = lines.map((line) => JSON.parse(line));
	/** Milliseconds, longer on a machine that is slower than the one on which V8 parsed the slowest of them in 600. */
	const second = 1_000 * Math.max(1, Number(parsing) / 600);
	expect(costs.length).toBeGreaterThanOrEqual(30);
	for (const cost of costs) expect(cost.bytes, cost.name).toBeLessThanOrEqual(8_388_608);
	expect(costs.filter(({ megabytes }) => megabytes > 300)).toEqual([]);
	expect(costs.filter(({ total }) => total > 2 * second)).toEqual([]);
	// It is read in one go, after all that waited.
	expect(costs.filter(({ blocked, bytes }) => blocked > second && bytes <= 4_400_000)).toEqual([]);
});
