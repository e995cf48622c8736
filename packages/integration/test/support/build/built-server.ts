import { join } from 'node:path';
import { runNode } from 'product-reviews-test-support/node-program';

/** The server of a site that was built with the Node adapter. */
export interface BuiltServer {
	readonly url: string;
	/** What it said until now. */
	log(): string;
	stop(): Promise<void>;
}

/** Starts it on a free port. @param environment is all that it knows: what the tests have is not to be in its way. */
export async function startBuiltServer(
	root: string,
	environment: Readonly<Record<string, string>>,
): Promise<BuiltServer> {
	const { says, output, end } = runNode([join(root, 'dist/server/entry.mjs')], {
		cwd: root,
		env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...environment },
	});
	const [url] = await says(/http:\/\/127\.0\.0\.1:\d+/);
	return { url, log: output, stop: async () => void (await end()) };
}
