import autocannon from 'autocannon';

/** Events that are on their way at a time, each on a connection of its own. */
export const CONNECTIONS = 20;
/** Longest time of a round, in seconds: what is not sent by then is missing. */
const LONGEST = 10;

/**
 * Sends every event once, as fast as they are answered.
 * @param server as `startOnOneCore` gives it.
 * @returns events answered 202 a second, of a processor's second too, its share of one core, and the 99th percentile of the
 * time until an answer, in milliseconds.
 */
export async function sendEvents(server, events) {
	const shares = Array.from({ length: CONNECTIONS }, (_, share) =>
		events.filter((_event, index) => index % CONNECTIONS === share),
	);
	const before = await server.cpuSeconds();
	let started;
	let ended;
	const result = await new Promise((resolve, reject) => {
		const done = (error, value) => (error ? reject(error) : resolve(value));
		const options = { url: server.url, connections: CONNECTIONS, amount: events.length };
		// Built before the first is sent, and not looked at again.
		const setupClient = (client) => client.setRequests(shares.pop());
		const load = autocannon({ ...options, setupClient }, done);
		const timer = setTimeout(() => load.stop(), LONGEST * 1_000);
		load.on('start', () => {
			started = performance.now();
		});
		load.on('response', () => {
			ended = performance.now();
		});
		load.once('done', () => clearTimeout(timer));
	});
	const seconds = (ended - started) / 1_000;
	const cpuSeconds = (await server.cpuSeconds()) - before;
	const accepted = result.statusCodeStats[202]?.count ?? 0;
	return {
		accepted,
		perSecond: accepted / seconds,
		perCpuSecond: accepted / cpuSeconds,
		cpuShare: cpuSeconds / seconds,
		p99: result.latency.p99,
	};
}
