import type { Collector } from '../../collect/collector.js';
import { createCollector } from '../../collect/create-collector.js';
import { WebhookConfigurationError } from '../../errors.js';
import { openSqliteLog } from '../sqlite-log.js';
import type { ReceiveCommand } from './read-command.js';

/**
 * Opens the collector that the command line specifies.
 * @throws WebhookConfigurationError if BullMQ is needed but not installed, and any error from opening the file.
 */
export async function openCollector(
	command: ReceiveCommand,
	onLog: (line: string) => void,
): Promise<Collector> {
	const { data, redis } = command;
	if (redis === undefined) return createCollector({ ...command, log: openSqliteLog(data), onLog });
	const { createRedisCollector } = await importRedis();
	return createRedisCollector({ ...command, connection: redis, onLog });
}

/** BullMQ is an optional peer dependency: most receivers do not use Redis. */
async function importRedis() {
	try {
		return await import('../../redis/index.js');
	} catch (cause) {
		if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
		throw new WebhookConfigurationError(
			'--redis-env needs BullMQ, which is not installed. Run: npm install bullmq ioredis',
			{ cause },
		);
	}
}
