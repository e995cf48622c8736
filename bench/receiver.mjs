// Measures how many events per second the receiver records on one core: distinct, signed in advance, and sent by autocannon
// on 20 connections, alternating with a bare Node server that answers 202 to everything. Then the receiver is killed, and its
// file must contain every event that it answered with 202. Exits with 1 if a target is missed.
//   node bench/receiver.mjs [--output bench/results.json]
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingIn } from './load/missing-in.mjs';
import { printLoad } from './load/print-load.mjs';
import { sendEvents } from './load/send-events.mjs';
import { signEvents } from './load/sign-events.mjs';
import { startOnOneCore } from './load/start-on-one-core.mjs';
import { summarizeLoad } from './load/summarize-load.mjs';
import { mergeResults } from './results.mjs';

const [ROUNDS, COUNT, PRODUCTS] = [4, 10_000, 200];

const { values } = parseArgs({ options: { output: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'bench-receiver-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const file = join(folder, 'changes.db');
const secret = `whsec_${randomBytes(32).toString('base64')}`;

const receiver = await startOnOneCore('receive', [file, secret]);
const bare = await startOnOneCore('accept');
const rounds = [];
const sent = [];
for (let round = 1; round <= ROUNDS; round++) {
	const events = signEvents({ count: COUNT, products: PRODUCTS, secret });
	sent.push(...events.map(({ id }) => id));
	rounds.push({ bare: await sendEvents(bare, events), receiver: await sendEvents(receiver, events) });
}
await Promise.all([receiver.kill(), bare.kill()]);

const summary = summarizeLoad({
	rounds,
	events: sent.length,
	missing: await missingIn(file, sent, PRODUCTS),
});
printLoad(summary);
if (values.output) mergeResults(values.output, { receiver: summary });
if (!summary.isMet) process.exitCode = 1;
