import { createServer } from 'node:http';
import { listenInTest } from 'product-reviews-test-support/listen';
import type { Rebuild, RebuildRequest } from '../../src/index.js';

interface SeenPost {
	readonly url: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
}

/** A host that takes posts, and answers them with a status; 0 never answers. */
export async function startHost(status = 200, headers: Record<string, string> = {}) {
	const posts: SeenPost[] = [];
	const server = createServer(async (request, response) => {
		let body = '';
		for await (const piece of request) body += piece;
		posts.push({ url: request.url ?? '', headers: request.headers, body });
		if (status > 0) response.writeHead(status, headers).end('canary of the answer');
	});
	const { url: origin } = await listenInTest(server);
	return { origin, posts };
}

/** Runs a rebuild, and returns its lines and what its error said. */
export async function runRebuild(rebuild: Rebuild, request: Partial<RebuildRequest> = {}) {
	const lines: string[] = [];
	const signal = new AbortController().signal;
	let error: Error | undefined;
	try {
		await rebuild({ pids: ['p-1'], all: false, signal, log: (line) => void lines.push(line), ...request });
	} catch (thrown) {
		error = thrown as Error;
	}
	return { lines, message: error?.message, text: `${lines.join('\n')}\n${error?.stack ?? ''}` };
}
