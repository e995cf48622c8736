import { CommandError } from '../../errors.js';
import type { refreshTogether } from '../refresh/redis/refresh-together.js';

/**
 * Loads what shares a refresh through Redis. BullMQ is an optional peer dependency: most projects do not need it.
 * @throws CommandError if it is not installed.
 */
export async function loadTogether(): Promise<typeof refreshTogether> {
	try {
		return (await import('../refresh/redis/refresh-together.js')).refreshTogether;
	} catch (cause) {
		if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
		throw new CommandError(
			'PR_REDIS_MISSING',
			'A refresh by several workers needs BullMQ, which is not installed.',
			'Run: npm install bullmq ioredis',
			{ cause },
		);
	}
}
