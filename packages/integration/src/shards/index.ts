export { inShard, readShard, type Shard, shardOf } from './shards.js';
