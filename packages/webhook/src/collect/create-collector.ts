import type { Collector } from './collector.js';
import type { CollectorOptions } from './collector-options.js';
import { createLogReader } from './create-log-reader.js';
import { createRebuilder } from './create-rebuilder.js';
import { createSchedule } from './schedule.js';
import { systemClock } from './system-clock.js';
import { readTiming } from './timing.js';

/**
 * Merges changes until none has arrived for a while, or the first has waited long enough, and then starts one rebuild.
 * Changes that arrive during a rebuild cause one more. After a failure, all products stay marked and the rebuild is
 * retried with growing pauses.
 *
 * @throws WebhookConfigurationError for an invalid duration.
 */
export function createCollector(options: CollectorOptions): Collector {
	const { log, clock = systemClock } = options;
	const timing = readTiming(options);
	const readLog = createLogReader(options);
	const rebuilder = createRebuilder({ ...options, readLog }, timing, () => clock.now());
	const schedule = createSchedule({
		timing,
		clock,
		look: readLog,
		run: rebuilder.run,
		onFailure: rebuilder.failed,
	});
	let changes = 0;
	return {
		async add(change) {
			const isNew = await log.record(change);
			if (!isNew) return false;
			changes += 1;
			schedule.add({ firstAt: change.receivedAt, lastAt: change.receivedAt });
			return true;
		},
		start: schedule.look,
		async status() {
			return {
				waiting: await log.count(),
				isRebuilding: schedule.running() !== undefined,
				nextRebuildAt: schedule.nextAt(),
				lastRebuild: rebuilder.last(),
				counts: { changes, ...rebuilder.counts },
			};
		},
		async close(patience) {
			schedule.close();
			rebuilder.close();
			const cancelPatience = clock.after(patience, rebuilder.abort);
			await schedule.running();
			cancelPatience();
			await log.close();
		},
	};
}
