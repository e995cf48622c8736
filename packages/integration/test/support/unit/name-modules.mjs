import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Names every module that is loaded on standard error.
registerHooks({
	load(url, context, next) {
		if (!url.startsWith('node:')) writeSync(2, `LOADED ${url}\n`);
		return next(url, context);
	},
});
