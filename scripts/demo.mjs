// Runs everything on this machine: the review service (the sandbox), a shop built from it (the playground), and the
// receiver that writes new reviews into the shop's files.
import { startDemo } from './demo/start-demo.mjs';

const cleanups = new AsyncDisposableStack();
const ending = new AbortController();
// The signal may arrive twice: npm forwards it, although the terminal already sent it to all processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		// At another signal, the terminal may be gone. A line of its own, below the ^C.
		if (signal === 'SIGINT' && !ending.signal.aborted) console.log('\nStopping ...');
		ending.abort();
	});
}

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

/**
 * Describes the demo and how to use it, in 80 columns.
 *
 * @param {{ shop: string, service: string, receiver: string }} addresses
 */
function introduction({ shop, service, receiver }) {
	return `
The shop         ${shop}/
One product      ${shop}/products/enamel-kettle/#reviews
Review service   ${service}/
Receiver         ${receiver}/status

Publish a review of the Enamel Kettle (p-1) on the service's page,
${service}/?pid=p-1
or with this command:

  curl -d 'pid=p-1&rating=5&author=Robin&title=Back+again' \\
    ${service}/__sandbox/form/reviews

The service notifies the receiver, which writes the review into the files of
the shop, without a build. The service's page then says which files changed
and how fast, as do the lines below. Reload the product page to see the review,
which is also in the page's source. Press Ctrl+C to stop everything.
`;
}
