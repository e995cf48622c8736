const COLUMNS = [
	['pages', ({ products }) => whole(products)],
	['seconds', ({ seconds }) => seconds.toFixed(1)],
	['each run', ({ runs }) => runs.map(({ seconds }) => seconds.toFixed(1)).join(' ')],
	['cpu s', ({ cpuSeconds }) => cpuSeconds.toFixed(1)],
	['reference s', ({ runs }) => runs.map(({ reference }) => reference?.toFixed(1) ?? '').join(' ')],
	['ratio', ({ ratio }) => ratio?.toFixed(2) ?? ''],
	['cpu ratio', ({ cpuRatio }) => cpuRatio?.toFixed(2) ?? ''],
	['peak MB', ({ peakMegabytes }) => whole(peakMegabytes)],
	['above baked', ({ memoryAbove }) => (memoryAbove === undefined ? '' : whole(memoryAbove))],
	['requests', ({ requests }) => whole(requests)],
	['rendered', ({ rendered }) => whole(rendered)],
];

/** Prints a table of the measurements, and a line for each limit. */
export function printTable(summaries) {
	const rows = [
		['', ...COLUMNS.map(([name]) => name)],
		...summaries.map((summary) => [summary.title, ...COLUMNS.map(([, show]) => show(summary))]),
	];
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	console.log();
	for (const [first, ...rest] of rows) {
		const cells = rest.map((cell, index) => cell.padStart(widths[index + 1]));
		console.log([first.padEnd(widths[0]), ...cells].join('  '));
	}
	console.log(
		'\nMedians. Ratios are relative to the baked site built right before, or to the time for requests if that is longer.\n',
	);
	for (const { title, bars } of summaries) {
		for (const { what, figure, atMost, met } of bars) {
			const shown = what.includes('ratio') ? figure.toFixed(2) : whole(figure);
			console.log(`${met ? 'met   ' : 'MISSED'}  ${title}: ${what} ${shown} (limit: ${whole(atMost)})`);
		}
	}
}

function whole(number) {
	return number.toLocaleString('en', { maximumFractionDigits: number < 10 ? 2 : 0 });
}
