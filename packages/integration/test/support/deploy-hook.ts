import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host's deploy hook. */
export interface TestDeployHook {
	readonly url: string;
	/** Paths that were called with POST. */
	readonly calls: string[];
	/** Status of its answers. */
	status: number;
	close(): void;
}

export async function startDeployHook(): Promise<TestDeployHook> {
	const server = createServer((request, response) => {
		hook.calls.push(`${request.method} ${request.url}`);
		response.writeHead(hook.status).end();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const hook: TestDeployHook = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		calls: [],
		status: 200,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	return hook;
}
