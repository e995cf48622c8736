import { createServer } from 'node:http';
import { type Listening, listen } from 'product-reviews-test-support/listen';

/** A host's deploy hook. */
export interface TestDeployHook extends Listening {
	/** Paths that were called with POST. */
	readonly calls: string[];
	/** Status of its answers. */
	status: number;
}

export async function startDeployHook(): Promise<TestDeployHook> {
	const server = createServer((request, response) => {
		hook.calls.push(`${request.method} ${request.url}`);
		response.writeHead(hook.status).end();
	});
	const hook: TestDeployHook = { ...(await listen(server)), calls: [], status: 200 };
	return hook;
}
