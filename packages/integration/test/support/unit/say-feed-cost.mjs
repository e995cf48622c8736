import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Says at the end how much processor time a build took to write its feed, and all of it, in milliseconds; and how much memory
// the process had at most before the feed, and at the end, in kilobytes.
const { openSync, renameSync } = fs;
const peak = () => process.resourceUsage().maxRSS;
const spent = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000;
let [begunAt, cost, before] = [0, 0, 0];
fs.openSync = (path, ...others) => {
	if (begunAt === 0 && String(path).endsWith('.xml.product-reviews-tmp'))
		[begunAt, before] = [spent(), peak()];
	return openSync(path, ...others);
};
fs.renameSync = (from, to) => {
	if (String(to).endsWith('.xml')) cost = spent() - begunAt;
	return renameSync(from, to);
};
syncBuiltinESMExports();
process.once('exit', () => writeSync(2, `FEED ${cost} ${spent()} ${before} ${peak()}\n`));
