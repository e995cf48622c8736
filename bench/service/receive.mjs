// The receiver as run by `npx product-reviews-webhook`, with changes in a file: receive.mjs FILE SECRET

import { standardWebhooks } from '../../packages/webhook/dist/index.js';
import { openSqliteLog, startReceiver } from '../../packages/webhook/dist/node/index.js';
import { reportTo } from './report-to.mjs';

const [file, secret] = process.argv.slice(2);
const { url } = await startReceiver({
	verify: standardWebhooks(secret),
	log: openSqliteLog(file),
	// No rebuild starts during the measurement.
	debounce: 600_000,
	maxWait: 600_000,
	rebuild: async () => {},
	onLog: (line) => console.error(line),
	port: 0,
});
reportTo(process, url);
