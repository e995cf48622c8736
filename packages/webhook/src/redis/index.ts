export { createRedisCollector } from './create-redis-collector.js';
export type { RedisCollectorOptions } from './redis-collector-options.js';
