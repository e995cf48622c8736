// Preloaded into a build (node --import): writes the resource usage of the process when it ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) process.once('exit', () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage())));

function usage() {
	const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
	return { peakMegabytes: (peak() ?? maxRSS) / 1_024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
}

/** Peak resident memory in KB. `maxRSS` would include that of the parent process. */
function peak() {
	try {
		const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
		return kilobytes && Number(kilobytes);
	} catch {
		return undefined;
	}
}
