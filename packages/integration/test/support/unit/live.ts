import { NOW, settled as turns } from 'product-reviews-test-support/clock';
import type { Driver } from 'unstorage';
import { onTestFinished, vi } from 'vitest';
import { toLiveSettings } from '../../../src/astro/vite-plugins.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { SharedStorage } from '../../../src/reviews/shared-storage.js';
import { createLiveSource } from '../../../src/server/live-source.js';
import { answer } from '../service/payload.js';

/** A request that a test answers, and `end` settles. */
function openRequest(url: URL, init: RequestInit | undefined, end: (response: Response) => Promise<void>) {
	const { productId, listProductId = [] } = init?.body ? JSON.parse(String(init.body)) : {};
	/** Of operation 1, all of them with commas in between. */
	const pid: string = url.searchParams.get('pid') ?? productId ?? listProductId.join();
	const send = (count: number, average: number, halves: object, headers: Record<string, string> = {}) => {
		const dataCount = { prtng: count, avgrtng: average };
		return end(Response.json({ status: 200, pid, dataCount, ...halves }, { headers }));
	};
	return {
		pid,
		origin: url.origin,
		path: url.pathname,
		headers: new Headers(init?.headers),
		answer(parts: { average?: number; count?: number; headers?: Record<string, string> } = {}) {
			const { html, jsonld } = answer();
			return send(parts.count ?? 2, parts.average ?? 4.5, { html, jsonld }, parts.headers);
		},
		/** Answers as operation 1 does: products that are left out are unknown to the service. */
		answerStars(stars: Record<string, { average: number; count: number }>) {
			const data = Object.entries(stars).map(([pid, { average: avgrtng, count: prtng }]) => {
				return { pid, avgrtng, prtng };
			});
			return end(Response.json({ success: true, data }));
		},
		answerEmpty: () => send(0, 0, { html: '', jsonld: '' }),
		answerStatus: (status: number, headers: Record<string, string> = {}) =>
			end(new Response(status === 304 ? null : '{}', { status, headers })),
	};
}

export type OpenRequest = ReturnType<typeof openRequest>;

export const NO_TOKEN: Readonly<Record<string, string>> = {
	REVIEWS_BASE_URL: 'https://reviews.example',
	REVIEWS_WSID: 'W-1001',
};
export const ENVIRONMENT: Readonly<Record<string, string>> = { ...NO_TOKEN, REVIEWS_TOKEN: 'canary-token' };

export const MINUTE = 60_000;
export const DAY = 86_400_000;

export const pidsOf = (count: number, name = 'p') =>
	Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
	for (let round = 0; round < 2; round++) {
		await turns();
		// A turn of the event loop, as servers without Node have it.
		vi.advanceTimersByTime(0);
	}
	await turns();
}

export async function pass(milliseconds: number): Promise<void> {
	await settled();
	await vi.advanceTimersByTimeAsync(milliseconds);
	await settled();
}

/** A live source with a service of the test, at a time that stands still. @param driver of the storage that it shares */
export function startLive(
	options: Record<string, unknown> = {},
	environment: Readonly<Record<string, string>> = ENVIRONMENT,
	driver?: Driver,
) {
	if (!vi.isFakeTimers()) {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: NOW });
		onTestFinished(() => void vi.useRealTimers());
	}
	const open: OpenRequest[] = [];
	const asked: string[] = [];
	const warnings: string[] = [];
	const fetch: typeof globalThis.fetch = (input, init) => {
		const { promise, resolve } = Promise.withResolvers<Response>();
		const request: OpenRequest = openRequest(new URL(String(input)), init, async (response) => {
			open.splice(open.indexOf(request), 1);
			resolve(response);
			await settled();
		});
		asked.push(request.pid);
		open.push(request);
		return promise;
	};
	const storage = driver && { driver: 'memory' };
	const source = createLiveSource(toLiveSettings(parseOptions({ retries: 0, storage, ...options })), {
		getSecret: (name) => environment[name],
		storage: driver && { SharedStorage, createDriver: () => driver },
		fetch,
		warn: (message) => warnings.push(message),
	});
	return {
		source,
		open,
		asked,
		warnings,
		pass,
		/** What a page shows of a product, or `'waiting'` while the page waits. */
		async shown(pid = 'p-1') {
			let shown: number | 'waiting' | undefined = 'waiting';
			void source.getProductReviews(pid).then((reviews) => {
				shown = reviews?.aggregate?.average;
			});
			await settled();
			return shown as number | 'waiting' | undefined;
		},
		/** Views of products, whose requests are all answered in the same way. @returns those whose pages show reviews */
		async view(pids: readonly string[], reply: (request: OpenRequest) => Promise<void>) {
			const shown: string[] = [];
			for (const pid of pids) {
				const page = source.getProductReviews(pid);
				await settled();
				for (const request of [...open]) await reply(request);
				if ((await page)?.reviews.length) shown.push(pid);
			}
			return shown;
		},
		/** What the server knows of products. */
		states: (pids: readonly string[]) => new Set(pids.map((pid) => source.freshness?.('reviews', pid).state)),
		/** The one request that is open. */
		async request(): Promise<OpenRequest> {
			await settled();
			const [request] = open;
			if (!request || open.length > 1) throw new Error(`${open.length} requests are open.`);
			return request;
		},
	};
}

export async function startKnowing(pids: readonly string[], options?: Record<string, unknown>) {
	const live = startLive(options);
	await live.view(pids, (request) => request.answer());
	return live;
}
