// Measures how many events per second the receiver records on one core: distinct, signed in advance, and sent by autocannon
// on 20 connections, alternating with a bare Node server that answers 202 to everything. Then the receiver is killed, and its
// file must contain every event that it answered with 202. Exits with 1 if a target is missed.
//   node bench/receiver.mjs [--output bench/results.json]
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { openSqliteLog } from '../packages/webhook/dist/node/index.js';
import { median, mergeResults } from './results.mjs';
import { signEvents } from './sign-events.mjs';

const [ROUNDS, COUNT, PRODUCTS] = [4, 10_000, 200];
/** Number of concurrent events, each on its own connection. */
const CONNECTIONS = 20;
/** Time limit of a round, in seconds. Events not sent by then are missing. */
const TIME_LIMIT = 10;
/** Whether a process can be pinned to one core, with another one left for the load generator. */
const CAN_PIN = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
/** Targets: events per second, and response time in milliseconds. */
const [LEAST, LONGEST] = [2_000, 50];

const { values } = parseArgs({ options: { output: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'bench-receiver-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const file = join(folder, 'changes.db');
const secret = `whsec_${randomBytes(32).toString('base64')}`;

const receiver = await startOnOneCore('receive', [file, secret]);
const bare = await startOnOneCore('accept');
const rounds = [];
for (let round = 1; round <= ROUNDS; round++) {
	const events = signEvents({ count: COUNT, products: PRODUCTS, secret });
	rounds.push({ bare: await sendEvents(bare, events), receiver: await sendEvents(receiver, events) });
}
await Promise.all([receiver.kill(), bare.kill()]);

const summary = summarizeLoad({
	rounds,
	events: ROUNDS * COUNT,
	missing: await missingIn(file, PRODUCTS),
});
printLoad(summary);
if (values.output) mergeResults(values.output, { receiver: summary });
if (!summary.isMet) process.exitCode = 1;

/**
 * Sends every event once, as fast as the server responds.
 * @param server as returned by `startOnOneCore`.
 * @returns events answered with 202, per second and per processor second, the share of one core, and the 99th percentile of
 * the response time in milliseconds.
 */
async function sendEvents(server, events) {
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
		const timer = setTimeout(() => load.stop(), TIME_LIMIT * 1_000);
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

/**
 * Starts a server of `bench/service` in a separate process, with all threads pinned to the first core if possible.
 * @returns its URL, a function for its processor time so far (in seconds), and a function to kill it.
 */
async function startOnOneCore(name, args = []) {
	const file = fileURLToPath(new URL(`./service/${name}.mjs`, import.meta.url));
	const command = [...(CAN_PIN ? ['taskset', '-c', '0'] : []), process.execPath, file, ...args];
	const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	const ended = once(child, 'exit');
	const [{ url }] = await Promise.race([once(child, 'message'), ended.then(() => [{}])]);
	if (!url) throw new Error(`bench/service/${name}.mjs exited before it started listening.`);
	return {
		url,
		async cpuSeconds() {
			child.send('usage');
			const [{ cpuSeconds }] = await once(child, 'message');
			return cpuSeconds;
		},
		async kill() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}

/**
 * Computes the medians of the rounds and compares them with the targets. The first round is a warm-up and does not count.
 * @param missing products missing from the receiver's file.
 */
function summarizeLoad({ rounds, events, missing }) {
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
		{ what: 'products missing from the file of the killed receiver', figure: missing, atMost: 0 },
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

/** Prints the measurements of the receiver, and a line for each target. */
function printLoad({ isOnOneCore, connections, events, receiver, bare, ratio, bars }) {
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

/** Counts how many of this number of products are missing from a receiver's file. */
async function missingIn(file, products) {
	const log = openSqliteLog(file);
	try {
		return products - ((await log.waiting())?.pids.length ?? 0);
	} finally {
		await log.close();
	}
}
