export { inShard } from './in-shard.js';
export { readShard, type Shard } from './read-shard.js';
export { shardOf } from './shard-of.js';
