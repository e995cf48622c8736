// A receiver for the tests. A rebuild takes a while, lasts for as long as the file "hold" exists, and writes down when it
// begins and ends.
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { sharedHeader } from '../../../dist/index.js';
import { startReceiver } from '../../../dist/node/index.js';
import { createRedisCollector } from '../../../dist/redis/index.js';

const { file, key, duration, hold, ...options } = JSON.parse(process.argv[2] ?? '{}');
const onLog = (line) => console.log(line);
const note = (what) => appendFileSync(file, `${JSON.stringify({ process: process.pid, ...what })}\n`);

const collector = createRedisCollector({
	...options,
	onLog,
	async rebuild({ pids, all, signal }) {
		note({ began: pids, all });
		do await wait(duration, undefined, { signal });
		while (hold !== undefined && existsSync(hold));
		note({ ended: pids, all });
	},
});
const receiver = await startReceiver({ verify: sharedHeader('x-key', key), collector, port: 0, onLog });
console.log(`Listening at ${receiver.url}; status`);
process.on('SIGTERM', () => void receiver.close(0));
