/** Prints the measurements of the receiver, and a line for each target. */
export function printLoad({ isOnOneCore, connections, events, receiver, bare, ratio, bars }) {
	const where = isOnOneCore ? 'pinned to one core' : 'not pinned to one core (no taskset, or a single core)';
	console.log(`\n${whole(events)} signed events on ${connections} connections, each server ${where}:`);
	for (const [name, figures] of Object.entries({ receiver, 'bare Node server': bare })) {
		const { perSecond, perCpuSecond, cpuShare, p99 } = figures;
		console.log(
			`  ${name}: ${whole(perSecond)} per second with ${Math.round(cpuShare * 100)} % of a core, ${whole(perCpuSecond)} per processor second, p99 ${whole(p99)} ms`,
		);
	}
	console.log(`  ratio of the two, by processor time: ${ratio.toFixed(2)}`);
	for (const { what, figure, atLeast, atMost, met } of bars) {
		const bar = atLeast === undefined ? `at most ${whole(atMost)}` : `at least ${whole(atLeast)}`;
		console.log(`  ${met ? 'met   ' : 'MISSED'}  ${what}: ${whole(figure)} (${bar})`);
	}
}

function whole(number) {
	return Math.round(number).toLocaleString('en');
}
