import { writeSync } from 'node:fs';

// Says at the end how much memory the process had at most, in kilobytes.
process.once('exit', () => writeSync(2, `MEMORY ${process.resourceUsage().maxRSS}\n`));
