export type { RedisCollectorOptions } from './create-redis-collector.js';
export { createRedisCollector } from './create-redis-collector.js';
