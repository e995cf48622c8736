import { join } from 'node:path';
import { createMemoryLog } from '../../../src/index.js';
import { openSqliteLog } from '../../../src/node/index.js';
import { describeChangeLog } from '../../support/describe-change-log.js';
import { temporaryFolder } from '../../support/folder.js';

describeChangeLog('a log in memory', createMemoryLog, { knowsEvents: false });
describeChangeLog('a log in a file', () => openSqliteLog(join(temporaryFolder(), 'changes.db')), {
	knowsEvents: true,
});
