import { expect, test } from 'vitest';
import { keepShard, readShardBuild, type ShardContext } from '../../../src/build/shard-build.js';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { createStoreFile } from '../../support/unit/store.js';

const SECRET = 'token-of-the-store';
const options = parseOptions({ baseUrl: 'https://reviews.example', wsid: 'W-1', token: SECRET });
const connection = resolveConnection(options, {});
const context: ShardContext = {
	...{ outDir: '../dist', folder: '../dist', root: '..', envFolder: '..', astroCache: '..' },
	...{ mode: 'production', config: 'digest', site: 'https://shop.example', base: '/', astro: '7.3.5' },
	shard: { index: 2, count: 4 },
};

test('the store knows of the last build that it was one of a shard, until another one was not', () => {
	const { file, open } = createStoreFile();
	const keep = (shard: (() => ShardContext) | undefined, isComplete: boolean, now: number) => {
		const store = open();
		keepShard(store, { options, connection, changes: undefined, shard }, isComplete, now);
		store.close();
		const database = openDatabase(file, () => {});
		const build = readShardBuild(database);
		const rows = database.prepare('SELECT count(*) AS rows FROM entries').get();
		database.close();
		return { build, rows: rows?.['rows'] };
	};
	expect(keep(undefined, true, 1)).toEqual({ build: undefined, rows: 0 });
	expect(keep(() => context, false, 2).build).toMatchObject({
		...context,
		isComplete: false,
	});
	const { build } = keep(() => context, true, 3);
	expect(build).toMatchObject({
		isComplete: true,
		shard: { index: 2, count: 4 },
		hasToken: true,
		wsid: 'W-1',
	});
	expect(JSON.stringify(build)).not.toContain(SECRET);
	expect(keep(undefined, true, 4).build).toBeUndefined();
});
