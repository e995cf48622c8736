// Runs the whole thing on this machine: the review service (the sandbox), a shop that is built from it (the playground),
// and the receiver that builds the shop again when a review is published.
import { introduction } from './demo/introduction.mjs';
import { startDemo } from './demo/start-demo.mjs';

const cleanups = new AsyncDisposableStack();
const ending = new AbortController();
// More than once: npm passes on what a terminal has sent to everybody already.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort());

try {
	const addresses = await startDemo(cleanups, ending.signal);
	console.log(introduction(addresses));
	await new Promise((resolve) => {
		if (ending.signal.aborted) resolve();
		else ending.signal.addEventListener('abort', resolve);
	});
} catch (error) {
	// What is ended in the middle of its start complains.
	if (!ending.signal.aborted) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
} finally {
	await cleanups.disposeAsync();
}
