import { FAILURE_KINDS, type FailureKind } from '../../../src/errors.js';
import { consequenceOf, STORED_STATES } from '../../../src/failures/failure-policy.js';

const OPTIONS = ['stale', 'omit', 'fail'] as const;

/** The policy of failures as the table of the page `builds/failures` of the documentation: what comes of each, rows that say the same put together. */
export function failureTable(): string {
	const rows = new Map<string, FailureKind[]>();
	for (const kind of FAILURE_KINDS) {
		const cells = [true, false].map((isFew) => rowsOf(kind, isFew));
		const lines = cells[0] === cells[1] ? [`any|${cells[0]}`] : [`few|${cells[0]}`, `many|${cells[1]}`];
		const key = lines.flatMap((line) => line.split('\n').map((row, index) => [row, index, line] as const));
		const text = key
			.map(([row, index, line]) => (index === 0 ? row : `${line.split('|')[0]}|${row}`))
			.join('\n');
		rows.set(text, [...(rows.get(text) ?? []), kind]);
	}
	return [
		"| what happened | products | stored | `onError: 'stale'` | `'omit'` | `'fail'` |",
		'| --- | --- | --- | --- | --- | --- |',
		...[...rows].flatMap(([text, kinds]) =>
			text.split('\n').map((row) => {
				const names = kinds.map((kind) => `\`${kind}\``).join(', ');
				return `| ${names} | ${row.split('|').join(' | ')} |`;
			}),
		),
	].join('\n');
}

/** A line for each group of states of the store with which the same happens: the states, and a cell for each option. */
function rowsOf(kind: FailureKind, isFew: boolean): string {
	const states = Map.groupBy(STORED_STATES, (stored) =>
		OPTIONS.map((onError) => cellOf(consequenceOf({ kind, stored, onError, isFew }))).join('|'),
	);
	return [...states].map(([cells, stored]) => `${stored.join(', ')}|${cells}`).join('\n');
}

function cellOf({ shows, status, log, endsBuild }: ReturnType<typeof consequenceOf>): string {
	if (endsBuild) return `**the build ends** (\`${status}\`)`;
	return `${shows}, ${log === 'nothing' ? 'nothing is said' : log} (\`${status}\`)`;
}
