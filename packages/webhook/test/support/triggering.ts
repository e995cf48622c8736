import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenInTest } from 'product-reviews-test-support/listen';
import type { Rebuild, RebuildRequest } from '../../src/index.js';

/** A host that takes posts, and answers them with a status; 0 never answers. */
export async function startHost(status = 200, headers: Record<string, string> = {}) {
	const posts: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
	const server = createServer(async (request, response) => {
		posts.push({ url: request.url ?? '', headers: request.headers, body: await text(request) });
		if (status > 0) response.writeHead(status, headers).end('canary of the answer');
	});
	const { url: origin } = await listenInTest(server);
	return { origin, posts };
}

/** Runs a rebuild, and returns its lines and what its error said. */
export async function runRebuild(rebuild: Rebuild, request: Partial<RebuildRequest> = {}) {
	const lines: string[] = [];
	const rest = { signal: new AbortController().signal, log: (line: string) => void lines.push(line) };
	const ended = rebuild({ pids: ['p-1'], all: false, ...rest, ...request });
	const error = (await Promise.resolve(ended).catch((thrown) => thrown)) as Error | undefined;
	return { lines, message: error?.message, text: `${lines.join('\n')}\n${error?.stack ?? ''}` };
}
