import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { PageStore, siteOf } from '../cache/page-store.js';
import { Audit } from '../pages/audit.js';
import { BuildPages } from '../pages/build-pages.js';
import { createBuildSource } from '../pages/build-source.js';
import { createPageKeys } from '../pages/page-keys.js';
import {
	REMOTE_METHODS,
	type RemoteCall,
	type RemoteError,
	type ReviewSource,
	reviewSources,
} from '../pages/page-source.js';
import type { OpenReviews } from '../project/open-reviews.js';
import type { BuildContext } from '../project/run-context.js';

export function servePages(reviews: OpenReviews, context: BuildContext) {
	const { options, connection, settings, isIncremental, changes } = context;
	const { cache, list } = reviews;
	const audit = new Audit();
	const { root, outDir, base } = context.places();
	const pageStore = new PageStore(cache, siteOf(context.cacheFile, resolve(root, outDir)));
	const pages = new BuildPages({
		store: pageStore,
		audit: options.audit === 'off' ? undefined : audit,
		base,
		changes,
	});
	const source = createBuildSource({
		...reviews,
		settings,
		listed: list?.seen,
		onReviewData: followPages(reviews),
		pages,
		onFacts({ component, pid }) {
			if (component === 'own-markup') audit.addOwnMarkup(pid);
		},
	});
	if (isIncremental) pages.keys = createPageKeys(pageStore, source.isCurrent);
	return { source, pages, pageStore, audit, ...serveSource(connection.account, source) };
}

export type ServedPages = ReturnType<typeof servePages>;

/** Products that pages must ask for before anything is fetched ahead, so a site with few such pages fetches no more. */
const SAMPLE = 4;

/** Maximum number of products fetched ahead of the pages. */
const WINDOW = 256;

/**
 * Fetches review data ahead of the pages that ask for it. Otherwise each page would wait for its own request, one page
 * after the other. The more products pages have asked for, the more are fetched ahead, up to twice as many: it is
 * unknown whether all pages need them.
 */
function followPages({ list, revalidation, reviewData }: OpenReviews): ((pid: string) => void) | undefined {
	if (!list) return undefined;
	const { checked } = revalidation;
	const order = list.pids;
	const asked = new Set<string>();
	const ahead = new Set<string>();
	let passed = 0;
	let isKnown = checked === undefined;

	const follow = () => {
		if (!isKnown || asked.size < SAMPLE) return;
		const most = Math.min(WINDOW, 2 * asked.size);
		for (; passed < order.length && ahead.size < most; passed++) {
			const pid = order[passed] as string;
			if (asked.has(pid)) continue;
			ahead.add(pid);
			// The page that asks for it reports the failure.
			reviewData.refresh(pid).catch(() => {});
		}
	};
	void checked?.then(() => {
		isKnown = true;
		follow();
	});
	return (pid) => {
		asked.add(pid);
		ahead.delete(pid);
		follow();
	};
}

/**
 * Gives a source to the pages of an account: to those of this process, and over loopback to those that are rendered in a
 * worker thread, another process or another runtime. The server does not keep the process alive.
 */
export function serveSource(account: string, source: ReviewSource) {
	reviewSources().set(account, source);
	const key = randomBytes(24).toString('base64url');
	let started: Promise<string | undefined> | undefined;
	let server: Server | undefined;

	const call = ({ method, args }: RemoteCall) => {
		const ask = REMOTE_METHODS.includes(method) ? source[method] : undefined;
		if (!ask) throw new TypeError(`A page called ${JSON.stringify(method)}, which the source does not have.`);
		return Reflect.apply(ask, source, args);
	};

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (request.method !== 'POST' || !isEqual(request.headers.authorization ?? '', `Bearer ${key}`)) {
			response.writeHead(403).end();
			return;
		}
		let status = 200;
		let body: unknown;
		try {
			body = { value: await call((await json(request)) as RemoteCall) };
		} catch (error) {
			status = 500;
			body = describe(error);
		}
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	}

	return {
		/**
		 * The address of the server. The fragment is the one-time key that every call must send. The first call starts the
		 * server. `undefined` if the machine does not let it listen.
		 */
		address(): Promise<string | undefined> {
			started ??= listen();
			return started;
		},
		/** After this, pages have no source. */
		close(): void {
			if (reviewSources().get(account) === source) reviewSources().delete(account);
			server?.close();
			server?.closeAllConnections();
		},
	};

	function listen(): Promise<string | undefined> {
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		const listening = createServer((request, response) => void answer(request, response));
		server = listening.unref();
		// Failing to accept a connection later is an error, too. The page that made the request reports it.
		listening.on('error', () => resolve(undefined));
		// Pages send requests at any time. If an idle connection were closed, the next request on it would fail.
		listening.keepAliveTimeout = 0;
		listening.listen(0, '127.0.0.1', () => {
			const { port } = listening.address() as AddressInfo;
			resolve(`http://127.0.0.1:${port}/#${key}`);
		});
		return promise;
	}
}

function describe(error: unknown): RemoteError {
	if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
	const hint = 'hint' in error && typeof error.hint === 'string' ? `\n${error.hint}` : '';
	return { name: error.name, message: error.message + hint };
}

function isEqual(received: string, expected: string): boolean {
	const [one, other] = [Buffer.from(received), Buffer.from(expected)];
	return one.length === other.length && timingSafeEqual(one, other);
}
