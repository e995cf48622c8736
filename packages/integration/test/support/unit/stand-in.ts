import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenInTest } from 'product-reviews-test-support/listen';
import { throttleOf } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ReviewProvider } from '../../../src/options/provider.js';
import { createProviderCalls } from '../../../src/providers/provider-call.js';

export interface StandInRequest {
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	/** Holds a posted form as its text, and anything else read as JSON. */
	readonly body: unknown;
}

interface StandInAnswer {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** @default nothing: see `html` */
	readonly json?: unknown;
	readonly html?: string;
}

/** Starts a server in place of a review service, until the running test ends. What it was asked for is in `requests`. */
export async function startStandIn(answer: (request: StandInRequest) => StandInAnswer) {
	const requests: StandInRequest[] = [];
	const server = createServer(async (request, response) => {
		const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://stand-in');
		const posted = await text(request);
		const asked = {
			path,
			query,
			headers: request.headers,
			body: posted === '' ? undefined : isForm(request.headers) ? posted : JSON.parse(posted),
		};
		requests.push(asked);
		const { status = 200, headers, json, html } = answer(asked);
		const type = html === undefined ? 'application/json' : 'text/html';
		response.writeHead(status, { 'content-type': type, ...headers }).end(html ?? JSON.stringify(json));
	});
	const { url } = await listenInTest(server);
	return { url, requests };
}

const isForm = ({ 'content-type': type = '' }: IncomingHttpHeaders) => type.includes('form-urlencoded');

/** Calls a provider as builds do, without waits between its tries. */
export function callProvider(provider: ReviewProvider, environment: Readonly<Record<string, string>> = {}) {
	let time = 0;
	const calls = createProviderCalls(provider, {
		...throttleOf(parseOptions({ retries: 1 })),
		env: (name) => environment[name],
		monotonicNow: () => time,
		sleep: async (milliseconds) => {
			time += milliseconds;
		},
	});
	return {
		reviews: async (pid: string) => (await calls.reviews(pid)).content?.record,
		data: async (pid: string) => (await calls.reviewData(pid)).content?.record,
		async ratings(...pids: string[]) {
			const ratings = [...(await calls.ratings(pids))];
			return Object.fromEntries(ratings.map(([pid, { average, count }]) => [pid, { average, count }]));
		},
	};
}
