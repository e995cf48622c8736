// A receiver for the tests. A rebuild takes a while, lasts for as long as the file "hold" exists, and writes down when it
// begins and ends.
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { standardWebhooks } from '../../../dist/index.js';
import { startReceiver } from '../../../dist/node/index.js';
import { openRedisLog } from '../../../dist/redis/index.js';

const { url, file, duration, hold, lockDuration, ...options } = JSON.parse(process.argv[2] ?? '{}');
const note = (what) => appendFileSync(file, `${JSON.stringify({ process: process.pid, ...what })}\n`);

const receiver = await startReceiver({
	...options,
	log: openRedisLog(url, { lockDuration }),
	verify: standardWebhooks(process.env.REVIEWS_WEBHOOK_SECRET),
	port: 0,
	onLog: (line) => console.log(line),
	async rebuild({ pids, all, signal }) {
		note({ began: pids, all });
		do await wait(duration, undefined, { signal });
		while (hold !== undefined && existsSync(hold));
		note({ ended: pids, all });
	},
});
console.log(`Listening at ${receiver.url}; status`);
process.on('SIGTERM', () => void receiver.close(0));
