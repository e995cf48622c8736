import { type Change, type OnUnusable, productIds, readProductIds } from '../changes/change.js';
import { bodyWasRead, checkNumber, quietly, WebhookConfigurationError } from '../errors.js';
import type {
	UnverifiedRequest,
	Verified,
	Verifier,
	Verify,
	VerifyFunction,
	VerifyHmac,
} from '../verify/verify.js';

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
	/** Remembers which events were already accepted. @default in memory, for this process */
	readonly replays?: Replays | undefined;
	/** Called with internal errors, which never contain a secret. @default errors are ignored */
	readonly onError?: ((error: unknown) => void) | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}

/** Responses of a receiver. They reveal no more than the sender needs. */
export const answers = {
	accepted: () => json(202, { status: 'accepted' }),
	/** The event was accepted before. */
	replayed: () => json(202, { status: 'already accepted' }),
	notPost: () => json(405, { error: 'Send events with POST.' }, { allow: 'POST' }),
	tooLarge: (mostBytes: number) => json(413, { error: `The body is larger than ${mostBytes} bytes.` }),
	notJson: () => json(415, { error: 'Send events as application/json.' }),
	missingHeader: (names: readonly string[]) => json(400, { error: `Missing header: ${names.join(', ')}.` }),
	unreadable: () => json(400, { error: 'The body is not valid JSON.' }),
	notGenuine: () => json(401, { error: 'The request could not be verified.' }),
	notRecorded: () =>
		json(503, { error: 'The change could not be recorded. Send it again.' }, { 'retry-after': '30' }),
	/** The change is recorded, but another receiver does not have it. */
	notForwarded: () =>
		json(503, { error: 'The event could not be passed on. Send it again.' }, { 'retry-after': '30' }),
};

/** A response to the sender, independent of the server. */
export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	/** JSON. */
	readonly body: string;
}

function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
	const all = { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers };
	return { status, headers: all, body: JSON.stringify(body) };
}

/** Remembers which events were already accepted. */
export interface Replays {
	/**
	 * Remembers an event until it expires or is forgotten.
	 * @param until when it expires, in milliseconds since 1970.
	 * @returns whether the event is new.
	 */
	add(id: string, until: number): boolean;
	/** Forgets an event that was not recorded after all, so that the sender's next attempt counts. */
	forget(id: string): void;
}

/** Maximum number of ids to keep. Each is valid for at most ten minutes. */
const MOST_IDS = 100_000;

/** Remembers events in memory. When there are too many, the oldest are dropped. @param now milliseconds since 1970. */
export function createReplays(now: () => number): Replays {
	const ids = new Map<string, number>();
	const removeOld = () => {
		for (const [id, until] of ids) {
			if (until >= now() && ids.size <= MOST_IDS) break;
			ids.delete(id);
		}
	};
	return {
		add(id, until) {
			removeOld();
			const known = ids.get(id);
			if (known !== undefined && known >= now()) return false;
			ids.delete(id);
			ids.set(id, until);
			return true;
		},
		forget: (id) => void ids.delete(id),
	};
}

/** An incoming request, independent of the server. */
interface IncomingEvent<Context> {
	readonly method: string;
	readonly headers: Headers;
	/** Reads the body. Stops and returns `undefined` if it is longer than `mostBytes`. */
	readBody(mostBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
	/** Passed on to `onChange`. */
	readonly context?: Context | undefined;
}

/** Handles one request. */
export type ReceiveEvent<Context = unknown> = (event: IncomingEvent<Context>) => Promise<Answer>;

/**
 * Creates the function that verifies a request, records its change and decides on the response, on any server.
 * @param verifyHmac the platform's own HMAC check. @default WebCrypto's
 * @throws WebhookConfigurationError if `verify` is missing or `maxBytes` is not a number.
 */
export function createEventReceiver<Context = unknown>(
	options: WebhookHandlerOptions<Context>,
	verifyHmac?: VerifyHmac,
): ReceiveEvent<Context> {
	const { onChange, maxBytes = 262_144, now = Date.now } = options;
	checkNumber('maxBytes', maxBytes, 1);
	const onError = quietly(options.onError);
	const verifiers = toVerifiers(options.verify);
	const select = options.select && safely(options.select, onError);
	const onUnusable: OnUnusable = (count) =>
		onError(
			new Error(
				`An event names ${count} unusable product ${count === 1 ? 'id' : 'ids'}. All products are treated as changed.`,
			),
		);
	const replays = options.replays ?? createReplays(now);
	// Events that are being recorded. A copy that arrives meanwhile gets the same response.
	const underway = new Map<string, Promise<Answer>>();

	const take = async (change: Change, context: Context | undefined): Promise<Answer> => {
		try {
			return (await onChange(change, context)) === false ? answers.replayed() : answers.accepted();
		} catch (error) {
			if (change.id !== undefined) replays.forget(change.id);
			onError(error);
			return answers.notRecorded();
		}
	};

	return async ({ method, headers, readBody, context }) => {
		if (method !== 'POST') return answers.notPost();
		const missing = missingHeaders(verifiers, headers);
		if (missing) return answers.missingHeader(missing);
		const body = await readBody(maxBytes);
		if (!body) return answers.tooLarge(maxBytes);
		if (body.length > 0 && !JSON_TYPE.test(headers.get('content-type') ?? '')) return answers.notJson();
		const receivedAt = now();
		const verified = await verify(verifiers, { headers, body, receivedAt, verifyHmac }, onError);
		if (!verified) return answers.notGenuine();
		const event = parse(body);
		if (!event) return answers.unreadable();

		const { id, validFor = VALID_FOR } = verified;
		if (id !== undefined && !replays.add(id, receivedAt + validFor)) {
			const first = await underway.get(id);
			return first?.status === 503 ? answers.notRecorded() : answers.replayed();
		}
		const pids = select ? selected(select(event.json), onUnusable) : readProductIds(event.json, onUnusable);
		const change = { id, pids: pids ?? [], all: !pids, type: typeOf(event.json), receivedAt };
		const answer = take(change, context);
		if (id === undefined) return answer;
		underway.set(id, answer);
		return answer.finally(() => underway.get(id) === answer && underway.delete(id));
	};
}

/** How long an event is remembered if its verifier returns no `validFor`, in milliseconds. */
const VALID_FOR = 600_000;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The fewest headers that any verifier is missing; `undefined` if at least one verifier has all it needs. */
function missingHeaders(verifiers: readonly Verifier[], headers: Headers): readonly string[] | undefined {
	const missing = verifiers.map((verifier) => verifier.headers.filter((name) => !headers.has(name)));
	const least = missing.toSorted((one, other) => one.length - other.length)[0] ?? [];
	return least.length > 0 ? least : undefined;
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

/** An empty body means that something changed, without naming what. */
function parse(body: Uint8Array): { json: unknown } | undefined {
	if (body.length === 0) return { json: undefined };
	try {
		return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
	} catch {
		return undefined;
	}
}

function safely<Result>(select: (body: unknown) => Result, onError: (error: unknown) => void) {
	return (body: unknown) => {
		try {
			return select(body);
		} catch (error) {
			onError(error);
			return undefined;
		}
	};
}

/** `select` is user code and may return anything. */
function selected(list: unknown, onUnusable: OnUnusable): readonly string[] | undefined {
	return Array.isArray(list) ? productIds(list, onUnusable) : undefined;
}

function typeOf(body: unknown): string | undefined {
	const type = (body as { type?: unknown } | null | undefined)?.type;
	return typeof type === 'string' && TYPE.test(type) ? type : undefined;
}

const TYPE = /^[\w.-]{1,100}$/;

/**
 * Normalizes the option `verify` to a list.
 * @throws WebhookConfigurationError if there is no verifier, so that no endpoint accepts everything by mistake.
 */
function toVerifiers(verify: Verify): readonly Verifier[] {
	const all: readonly (Verifier | VerifyFunction)[] = Array.isArray(verify) ? verify : [verify];
	if (all.length === 0 || !all.every(isVerifier)) {
		throw new WebhookConfigurationError(
			'The option "verify" must be standardWebhooks(secret), sharedHeader(name, secret), a function, or a list of these. ' +
				'Without it, anyone could start rebuilds.',
		);
	}
	return all.map(toVerifier);
}

function isVerifier(value: unknown): boolean {
	return typeof value === 'function' || typeof (value as Verifier | undefined)?.verify === 'function';
}

function toVerifier(one: Verifier | VerifyFunction): Verifier {
	if (typeof one !== 'function') return one;
	return {
		headers: [],
		async verify(request) {
			const verified = await one(request);
			if (verified === true) return {};
			return typeof verified === 'object' ? verified : undefined;
		},
	};
}

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
	const receive = createEventReceiver(options);
	return async (request, context) => {
		const { method, headers } = request;
		const { body, ...init } = await receive({
			method,
			headers,
			readBody: (mostBytes) => readBody(request, mostBytes),
			context,
		});
		return new Response(body, init);
	};
}

/**
 * Reads the body of a request as bytes. Stops and returns `undefined` if it is longer than allowed.
 * @throws WebhookConfigurationError if the body was already read.
 */
async function readBody(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
	if (request.bodyUsed) throw bodyWasRead();
	const announced = Number(request.headers.get('content-length') ?? 0);
	if (announced > mostBytes) {
		await request.body?.cancel();
		return undefined;
	}
	const pieces: Uint8Array[] = [];
	let length = 0;
	const reader = request.body?.getReader();
	for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
		length += piece.value.length;
		if (length > mostBytes) {
			await reader?.cancel();
			return undefined;
		}
		pieces.push(piece.value);
	}
	const body = new Uint8Array(length);
	let at = 0;
	for (const piece of pieces) {
		body.set(piece, at);
		at += piece.length;
	}
	return body;
}
