import type { Change } from './change-log.js';
import { checkNumber, quietly, WebhookConfigurationError } from './errors.js';
import { messages } from './messages.js';
import type { UnverifiedRequest, Verified, Verifier, Verify, VerifyFunction } from './verify.js';

/** Options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Context = unknown> {
	/** How to verify that a request comes from the review service. If there are several, one is enough. */
	readonly verify: Verify;
	/**
	 * Records a change before the response is sent. It must be quick: act on the change later. If it throws or rejects,
	 * the response is 503 and the sender tries again. Return `false` if this event was recorded before.
	 * @param context second argument of the handler.
	 */
	readonly onChange: (change: Change, context: Context | undefined) => unknown;
	/**
	 * Finds the product ids in a body of a different shape. If it returns none or throws, anything may have changed.
	 * @default `data.pid` and `data.arrpid`
	 */
	readonly select?: ((body: unknown) => readonly unknown[] | undefined) | undefined;
	/** Longest body, in bytes. @default 262_144 (256 KiB) */
	readonly maxBytes?: number | undefined;
	/** Called with internal errors, which never contain a secret. @default errors are ignored */
	readonly onError?: ((error: unknown) => void) | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}

/** How long an event is remembered if its verifier returns no `validFor`, in milliseconds. */
const VALID_FOR = 600_000;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

const EVENT_TYPE = /^[\w.-]{1,100}$/;

/**
 * Creates the function that receives the review service's events. It takes a `Request` and returns a `Response`, on every
 * platform that has both. It answers 202 once the change is recorded; 405, 413, 415, 400 or 401 if the request is not an
 * event of the service; and 503 if the change could not be recorded.
 *
 * @throws WebhookConfigurationError if `verify` is missing or `maxBytes` is not a number. The function rejects with one
 * if a body parser has already read the body.
 * @example
 * export const POST = createWebhookHandler({ verify: standardWebhooks(secret), onChange: ({ pids }) => mark(pids) });
 */
export function createWebhookHandler<Context = unknown>(
	options: WebhookHandlerOptions<Context>,
): (request: Request, context?: Context) => Promise<Response> {
	const { onChange, select, maxBytes = 262_144, now = Date.now } = options;
	checkNumber('maxBytes', maxBytes, 1);
	const onError = quietly(options.onError);
	const verifiers = toVerifiers(options.verify);
	const events = new RecentEvents();

	const record = async (change: Change, context: Context | undefined): Promise<Recorded> => {
		try {
			return (await onChange(change, context)) === false ? 'already accepted' : 'accepted';
		} catch (error) {
			onError(error);
			return 'failed';
		}
	};
	const findIds = (body: unknown): readonly unknown[] => {
		try {
			const found: unknown = select ? select(body) : listIds(body);
			return Array.isArray(found) ? found : [];
		} catch (error) {
			onError(error);
			return [];
		}
	};

	return async (request, context) => {
		const { method, headers } = request;
		if (method !== 'POST') return refuse(405, messages.notPost, { allow: 'POST' });
		const missing = missingHeaders(verifiers, headers);
		if (missing.length > 0) return refuse(400, messages.missingHeader(missing));
		const body = await readBody(request, maxBytes);
		if (!body) return refuse(413, messages.tooLarge(maxBytes));
		if (body.length > 0 && !JSON_TYPE.test(headers.get('content-type') ?? ''))
			return refuse(415, messages.notJson);
		const receivedAt = now();
		const verified = await verify(verifiers, { headers, body, receivedAt }, onError);
		if (!verified) return refuse(401, messages.notGenuine);
		const event = parse(body);
		if (!event) return refuse(400, messages.invalidJson);

		const { id, validFor = VALID_FOR } = verified;
		const known = id === undefined ? undefined : events.get(id, receivedAt);
		if (known) return answer((await known) === 'failed' ? 'failed' : 'already accepted');
		const found = findIds(event.json);
		const pids = [...new Set(found.map(toProductId).filter((pid) => pid !== undefined))];
		const unusable = found.filter((value) => toProductId(value) === undefined).length;
		if (unusable > 0) onError(new Error(messages.unusableIds(unusable)));
		// Unusable ids stand for unknown products. Rebuilding only the others would leave those stale.
		const all = unusable > 0 || pids.length === 0;
		const type = propertyOf(event.json, 'type');
		const change = {
			id,
			pids: all ? [] : pids,
			all,
			type: typeof type === 'string' && EVENT_TYPE.test(type) ? type : undefined,
			receivedAt,
		};
		const recorded = record(change, context);
		if (id !== undefined) events.add(id, recorded, receivedAt + validFor);
		const status = await recorded;
		// The sender's next attempt counts.
		if (id !== undefined && status === 'failed') events.delete(id);
		return answer(status);
	};
}

type Recorded = 'accepted' | 'already accepted' | 'failed';

function answer(status: Recorded): Response {
	if (status === 'failed') return refuse(503, messages.notRecorded, { 'retry-after': '30' });
	return Response.json({ status }, { status: 202, headers: { 'cache-control': 'no-store' } });
}

/** Answers that an event was not taken. The reason reveals no more than the sender needs. */
export function refuse(status: number, error: string, headers: Record<string, string> = {}): Response {
	return Response.json({ error }, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/** Maximum number of events to remember. Each is valid for at most ten minutes. */
const MAX_EVENTS = 100_000;

/** Remembers events, so that a replay or a copy has no effect. When there are too many, the oldest are dropped. */
export class RecentEvents {
	readonly #events = new Map<string, { readonly recorded: Promise<Recorded>; readonly until: number }>();

	/** @param until when the event expires, in milliseconds since 1970. */
	add(id: string, recorded: Promise<Recorded>, until: number): void {
		this.#events.delete(id);
		this.#events.set(id, { recorded, until });
	}

	/** Returns whether an event is recorded, or will be; `undefined` for a new one. */
	get(id: string, now: number): Promise<Recorded> | undefined {
		for (const [old, { until }] of this.#events) {
			if (until >= now && this.#events.size < MAX_EVENTS) break;
			this.#events.delete(old);
		}
		const known = this.#events.get(id);
		return known && known.until >= now ? known.recorded : undefined;
	}

	delete(id: string): void {
		this.#events.delete(id);
	}
}

/**
 * Normalizes the option `verify` to a list.
 * @throws WebhookConfigurationError if there is no verifier, so that no endpoint accepts everything by mistake.
 */
function toVerifiers(verify: Verify): readonly Verifier[] {
	const all: readonly (Verifier | VerifyFunction)[] = Array.isArray(verify) ? verify : [verify];
	const isVerifier = (value: unknown) =>
		typeof value === 'function' || typeof (value as Verifier | undefined)?.verify === 'function';
	if (all.length === 0 || !all.every(isVerifier)) throw new WebhookConfigurationError(messages.noVerifier);
	return all.map((one) => {
		if (typeof one !== 'function') return one;
		return {
			headers: [],
			async verify(request) {
				const verified = await one(request);
				if (verified === true) return {};
				return typeof verified === 'object' ? verified : undefined;
			},
		};
	});
}

/** Names the fewest headers that any verifier is missing. */
function missingHeaders(verifiers: readonly Verifier[], headers: Headers): readonly string[] {
	const missing = verifiers.map((verifier) => verifier.headers.filter((name) => !headers.has(name)));
	return missing.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** Tries the verifiers in turn. One that throws counts as not having verified the request. */
async function verify(
	verifiers: readonly Verifier[],
	request: UnverifiedRequest,
	onError: (error: unknown) => void,
): Promise<Verified | undefined> {
	for (const verifier of verifiers) {
		if (verifier.headers.some((name) => !request.headers.has(name))) continue;
		try {
			const verified = await verifier.verify(request);
			if (verified) return verified;
		} catch (error) {
			onError(error);
		}
	}
	return undefined;
}

/**
 * Reads the body of a request as bytes. Stops and returns `undefined` if it is longer than allowed.
 * @throws WebhookConfigurationError if the body was already read.
 */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
	if (request.bodyUsed) throw bodyWasRead();
	if (Number(request.headers.get('content-length') ?? 0) > maxBytes) {
		await request.body?.cancel();
		return undefined;
	}
	const pieces: Uint8Array<ArrayBuffer>[] = [];
	let length = 0;
	for await (const piece of request.body ?? []) {
		length += piece.length;
		// Leaving the loop cancels the body.
		if (length > maxBytes) return undefined;
		pieces.push(piece);
	}
	return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Once a parser has read a body, its bytes are gone, and the parsed value cannot be verified. */
export function bodyWasRead(): WebhookConfigurationError {
	return new WebhookConfigurationError(messages.bodyWasRead, { code: 'PR_WEBHOOK_BODY_READ' });
}

/** Parses JSON. An empty body means that something changed, without naming what. */
function parse(body: Uint8Array): { json: unknown } | undefined {
	if (body.length === 0) return { json: undefined };
	try {
		return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
	} catch {
		return undefined;
	}
}

/** Lists the ids in `data.pid` (a string, a number, or an array of these) and `data.arrpid` (an array of `{ pid }`). */
function listIds(body: unknown): readonly unknown[] {
	const data = propertyOf(body, 'data');
	const pid = propertyOf(data, 'pid');
	const listed = propertyOf(data, 'arrpid');
	return [
		...(pid === undefined ? [] : [pid].flat()),
		...(Array.isArray(listed) ? listed.map((one) => propertyOf(one, 'pid')) : []),
	];
}

/** Longest product id, in UTF-16 code units. */
const MAX_LENGTH = 500;

function toProductId(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
	if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH) return undefined;
	return value.isWellFormed() ? value : undefined;
}

function propertyOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as Record<string, unknown>)[name];
}
