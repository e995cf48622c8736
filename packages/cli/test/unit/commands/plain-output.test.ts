import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createFilledStore } from '../../../../integration/test/support/unit/filled-store.js';
import { variedReport } from '../../../../integration/test/support/unit/report.js';
import { runCli } from '../../support/command.js';

/** A terminal with colours, one without, and the log of a CI service. */
const ENVIRONMENTS = [
	{ FORCE_COLOR: '3', NO_COLOR: undefined, TERM: 'xterm-256color', COLUMNS: '80' },
	{ NO_COLOR: '1', FORCE_COLOR: undefined },
	{ CI: 'true', GITHUB_ACTIONS: 'true', TERM: 'dumb', FORCE_COLOR: undefined },
];

test('what commands print is the same everywhere, without colours, in 80 columns', async () => {
	const { file } = createFilledStore(['p-1', 'p-2']);
	writeFileSync(join(dirname(file), 'product-reviews-report.json'), JSON.stringify(variedReport()));
	for (const args of [['store', 'ls'], ['store', 'show', 'p-1'], ['report'], ['store', 'show', 'p-9']]) {
		const runs = await Promise.all(
			ENVIRONMENTS.map((environment) =>
				runCli([...args, '--store', file], { cwd: dirname(file), environment }),
			),
		);
		const [first = '', ...others] = runs.map(({ output, errors }) =>
			`${output}${errors}`.replace(/\(\S+ \w+ ago\)/g, ''),
		);
		expect(first).not.toBe('');
		for (const other of others) expect(other).toBe(first);
		for (const character of ['\u001b', '\r']) expect(first).not.toContain(character);
		// Reasons of failures are as long as they are.
		const most = args[0] === 'report' ? 120 : 80;
		for (const line of first.split('\n')) expect(line.length, line).toBeLessThanOrEqual(most);
	}
});
