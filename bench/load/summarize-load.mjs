import { CONNECTIONS } from './send-events.mjs';
import { CAN_PIN } from './start-on-one-core.mjs';

/** Events a second, and milliseconds until an answer. */
const [LEAST, LONGEST] = [2_000, 50];

/**
 * The middle of the rounds, and how it stands to its bars. The first round warms up, and is not counted.
 * @param missing events and products that the receiver's file lacks.
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
		{ what: 'events a second', figure: receiver.perSecond, atLeast: LEAST },
		{ what: 'p99 in ms', figure: receiver.p99, atMost: LONGEST },
		{ what: 'events not answered 202', figure: events - accepted, atMost: 0 },
		{ what: 'events missing in the file of a receiver that was killed', figure: missing.events, atMost: 0 },
		{ what: 'products missing in it', figure: missing.products, atMost: 0 },
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
		// Of the receiver to the bare server, by processor time: less is in it of what else the machine does.
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
