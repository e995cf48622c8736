import autocannon from 'autocannon';

/** Number of concurrent events, each on its own connection. */
export const CONNECTIONS = 20;
/** Time limit of a round, in seconds. Events not sent by then are missing. */
const LONGEST = 10;

/**
 * Sends every event once, as fast as the server responds.
 * @param server as returned by `startOnOneCore`.
 * @returns events answered with 202, per second and per processor second, the share of one core, and the 99th percentile of
 * the response time in milliseconds.
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
		// Requests are built before the first one is sent, so that this is not measured.
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
