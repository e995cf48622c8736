import { CONNECTIONS } from './send-events.mjs';
import { CAN_PIN } from './start-on-one-core.mjs';

/** Targets: events per second, and response time in milliseconds. */
const [LEAST, LONGEST] = [2_000, 50];

/**
 * Computes the medians of the rounds and compares them with the targets. The first round is a warm-up and does not count.
 * @param missing events and products missing from the receiver's file.
 */
export function summarizeLoad({ rounds, events, missing }) {
	const counted = rounds.slice(1);
	const middle = (server, field) => median(counted.map((round) => round[server][field]));
	const figures = (server) => ({
		perSecond: middle(server, 'perSecond'),
		perCpuSecond: middle(server, 'perCpuSecond'),
		cpuShare: middle(server, 'cpuShare'),
		p99: middle(server, 'p99'),
	});
	const [receiver, bare] = [figures('receiver'), figures('bare')];
	const accepted = rounds.reduce((sum, round) => sum + round.receiver.accepted, 0);
	const bars = [
		{ what: 'events per second', figure: receiver.perSecond, atLeast: LEAST },
		{ what: 'p99 in ms', figure: receiver.p99, atMost: LONGEST },
		{ what: 'events not answered 202', figure: events - accepted, atMost: 0 },
		{ what: 'events missing from the file of the killed receiver', figure: missing.events, atMost: 0 },
		{ what: 'products missing from it', figure: missing.products, atMost: 0 },
	].map((bar) => ({
		...bar,
		met: bar.figure >= (bar.atLeast ?? 0) && bar.figure <= (bar.atMost ?? Infinity),
	}));
	return {
		date: new Date().toISOString().slice(0, 10),
		isOnOneCore: CAN_PIN,
		connections: CONNECTIONS,
		events,
		receiver,
		bare,
		// Receiver to bare server, by processor time, which other load on the machine affects less.
		ratio: receiver.perCpuSecond / bare.perCpuSecond,
		isMet: bars.every(({ met }) => met),
		bars,
		rounds,
	};
}

function median(numbers) {
	const sorted = numbers.toSorted((a, b) => a - b);
	const half = sorted.length / 2;
	return (sorted[Math.floor(half)] + sorted[Math.ceil(half) - 1]) / 2;
}
