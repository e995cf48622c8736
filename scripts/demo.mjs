// Runs everything on this machine: the review service (the sandbox), a shop built from it (the playground), and the
// receiver that writes new reviews into the shop's files.
import { introduction } from './demo/introduction.mjs';
import { startDemo } from './demo/start-demo.mjs';

const cleanups = new AsyncDisposableStack();
const ending = new AbortController();
// The signal may arrive twice: npm forwards it, although the terminal already sent it to all processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort());

try {
	const addresses = await startDemo(cleanups, ending.signal);
	console.log(introduction(addresses));
	await new Promise((resolve) => {
		if (ending.signal.aborted) resolve();
		else ending.signal.addEventListener('abort', resolve);
	});
} catch (error) {
	// Aborting during startup causes errors, which are expected.
	if (!ending.signal.aborted) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
} finally {
	await cleanups.disposeAsync();
}
