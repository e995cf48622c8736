import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { createMemoryLog } from '../../../src/index.js';
import { openSqliteLog } from '../../../src/node/index.js';
import { describeChangeLog } from '../../support/describe-change-log.js';

describeChangeLog('a log in memory', createMemoryLog, { knowsEvents: false });
describeChangeLog('a log in a file', () => openSqliteLog(join(createFolder(), 'changes.db')), {
	knowsEvents: true,
});
