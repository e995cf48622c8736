import type { Change } from './change-log.js';
import { checkNumber, count, quietly, WebhookConfigurationError } from './errors.js';
import type { UnverifiedRequest, Verified, Verifier, Verify } from './verify.js';

/** Options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Context = unknown> {
	readonly verify: Verify;
	/**
	 * Records a change before the response is sent. It must be quick: act on the change later. If it throws or rejects,
	 * the response is 503 and the sender tries again.
	 * @param context second argument of the handler.
	 */
	readonly onChange: (change: Change, context: Context | undefined) => unknown;
	/**
	 * Path of the product IDs in a body: names of properties with dots between them. Each property may be a list, of which
	 * every element is read. If there are no ids, anything may have changed.
	 * @default ['data.pid', 'data.arrpid.pid', 'pid']
	 * @example 'data.review.pid'
	 */
	readonly ids?: string | readonly string[] | undefined;
	/** Instead of `ids`: finds the product IDs in a body. An empty list means that the event changes nothing. */
	readonly select?: ((body: unknown) => readonly unknown[] | undefined) | undefined;
	/**
	 * Types of events (`type`, `event` or `model` of the body) that are answered and ignored, because they are about no
	 * review.
	 * @default ['css_update']
	 */
	readonly ignoreTypes?: readonly string[] | undefined;
	/** Body that the sender sends unsigned to see if anybody answers. It gets 200 and changes nothing. @default none */
	readonly ping?: RegExp | undefined;
	/** Longest body, in bytes. @default 262_144 (256 KiB) */
	readonly maxBytes?: number | undefined;
	/** Called with internal errors, which never contain a secret. @default errors are ignored */
	readonly onError?: ((error: unknown) => void) | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}

/** In milliseconds. */
const VALID_FOR = 600_000;

const NOT_GENUINE =
	'The request could not be verified: its signature or key, or its time, is missing or wrong.';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

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
	const { onChange, maxBytes = 262_144, now = Date.now, ids = ID_PATHS, ping } = options;
	const paths = [ids].flat();
	if (!paths.every((path) => typeof path === 'string' && ID_PATH.test(path))) {
		throw new WebhookConfigurationError(
			'The option "ids" must be names of properties with dots between them, such as "data.review.pid".',
		);
	}
	const findIds = (body: unknown) => {
		const found = paths.flatMap((path) => valuesAt(body, path));
		return found.length > 0 ? found : undefined;
	};
	const { select = findIds } = options;
	const ignored = new Set<unknown>([options.ignoreTypes ?? 'css_update'].flat());
	checkNumber('maxBytes', maxBytes, 1);
	const onError = quietly(options.onError);
	const verifiers = [options.verify].flat() as Verifier[];
	// An endpoint must not accept everything by mistake.
	if (verifiers.length === 0 || !verifiers.every((verifier) => typeof verifier === 'function')) {
		throw new WebhookConfigurationError(
			'The option "verify" must be standardWebhooks(secret), hmac(form, secret), sharedHeader(name, secret), sharedQuery(name, secret), a function, or a list of these. ' +
				'Without it, anyone could start rebuilds.',
		);
	}
	const events: RecentEvents = new Map();
	/** Resolves to whether the change was recorded. */
	const record = async (change: Change, context: Context | undefined) => {
		try {
			await onChange(change, context);
			return true;
		} catch (error) {
			onError(error);
			return false;
		}
	};

	return async (request, context) => {
		const { method, headers, url } = request;
		if (method !== 'POST') return refuse(405, 'Send events with POST.', { allow: 'POST' });
		const body = await readBody(request, maxBytes);
		if (!body) return refuse(413, `The body is larger than ${maxBytes} bytes.`);
		if (ping?.test(new TextDecoder().decode(body.subarray(0, 100)))) {
			return respond(200, { status: 'ignored' });
		}
		if (body.length > 0 && !JSON_TYPE.test(headers.get('content-type') ?? '')) {
			return refuse(415, 'Send events as application/json.');
		}
		const receivedAt = now();
		const verified = await verify(verifiers, { url, headers, body, receivedAt }, onError);
		if (!verified) return refuse(401, NOT_GENUINE);
		let json: unknown;
		try {
			// An empty body means that something changed, without naming what.
			if (body.length > 0) json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
		} catch {
			return refuse(400, 'The body is not valid JSON.');
		}
		const isIgnored = ['type', 'event', 'model'].some((name) => ignored.has(propertyOf(json, name)));
		const products = isIgnored ? undefined : readProducts(json, select, onError);
		if (!products) return respond(202, { status: 'ignored' });

		const { id, validFor = VALID_FOR } = verified;
		const known = id === undefined ? undefined : recallEvent(events, id, receivedAt);
		if (known) return answer(await known);
		const change = { id, ...products, receivedAt };
		const recording = record(change, context);
		if (id !== undefined) events.set(id, { recording, until: receivedAt + validFor });
		const isRecorded = await recording;
		// The sender's next attempt counts.
		if (id !== undefined && !isRecorded) events.delete(id);
		return answer(isRecorded);
	};
}

function answer(isRecorded: boolean): Response {
	return isRecorded
		? respond(202, { status: 'accepted' })
		: refuse(503, 'The event could not be taken. Send it again.', { 'retry-after': '30' });
}

/** @param error reveals no more than the sender needs. */
export function refuse(status: number, error: string, headers?: Record<string, string>): Response {
	return respond(status, { error }, headers);
}

function respond(status: number, body: object, headers?: Record<string, string>): Response {
	return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/** Events by id, so that a replay or a copy has no effect. */
type RecentEvents = Map<string, { readonly recording: Promise<boolean>; readonly until: number }>;

/** Recalls an event, and forgets those whose time is over; if there are too many, the oldest go first. */
export function recallEvent(events: RecentEvents, id: string, now: number): Promise<boolean> | undefined {
	for (const [old, { until }] of events) {
		if (until >= now && events.size < 100_000) break;
		events.delete(old);
	}
	const known = events.get(id);
	return known && known.until >= now ? known.recording : undefined;
}

/** Tries the verifiers in turn. One that throws counts as not having verified the request. */
async function verify(
	verifiers: readonly Verifier[],
	request: UnverifiedRequest,
	onError: (error: unknown) => void,
): Promise<Verified | undefined> {
	for (const verifier of verifiers) {
		try {
			const verified: unknown = await verifier(request);
			if (typeof verified === 'object' && verified) return verified;
		} catch (error) {
			onError(error);
		}
	}
	return undefined;
}

/** @returns `undefined` for a body that is longer than allowed, of which no more is read. */
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

/** Makes the error for a parsed body: its bytes are gone, and the parsed value cannot be verified. */
export function bodyWasRead(): WebhookConfigurationError {
	return new WebhookConfigurationError(
		'The body of the event was read before it reached the webhook handler. Put the route before express.json() and other body parsers, or use express.raw({ type: "application/json" }) for it.',
		{ code: 'PR_WEBHOOK_BODY_READ' },
	);
}

/**
 * Reads which products an event is about; `undefined` if it is about none. Unusable ids stand for unknown products, so with them anything may have changed:
 * rebuilding only the others would leave those stale.
 */
function readProducts(
	json: unknown,
	select: (body: unknown) => readonly unknown[] | undefined,
	onError: (error: unknown) => void,
): Pick<Change, 'pids' | 'all'> | undefined {
	let found: unknown;
	try {
		found = select(json);
	} catch (error) {
		onError(error);
	}
	if (Array.isArray(found) && found.length === 0) return undefined;
	const ids = Array.isArray(found) ? found.map(toProductId) : [];
	const pids = ids.filter((pid) => pid !== undefined);
	const unusable = ids.length - pids.length;
	if (unusable > 0) {
		const which = count(unusable, 'unusable product ID');
		onError(new Error(`An event names ${which}. All products are treated as changed.`));
	}
	const all = unusable > 0 || pids.length === 0;
	return { pids: all ? [] : [...new Set(pids)], all };
}

const ID_PATHS = ['data.pid', 'data.arrpid.pid', 'pid'];

/** Names of properties with dots between them. */
export const ID_PATH = /^[^.]+(?:\.[^.]+)*$/;

/**
 * Returns the values at a path. Where a list has some, an element without one has the value `undefined`: it names an unknown
 * product.
 */
function valuesAt(body: unknown, path: string): readonly unknown[] {
	const read = (value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] => {
		if (Array.isArray(value)) {
			return value.flatMap((one) => {
				const found = read(one, name === undefined ? [] : [name, ...rest]);
				return found.length > 0 ? found : [undefined];
			});
		}
		if (name !== undefined) return read(propertyOf(value, name), rest);
		return value === undefined ? [] : [value];
	};
	const values = read(body, path.split('.'));
	return values.every((value) => value === undefined) ? [] : values;
}

function toProductId(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
	if (typeof value !== 'string' || value === '' || value.length > 500) return undefined;
	return value.isWellFormed() ? value : undefined;
}

export function propertyOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as Record<string, unknown>)[name];
}
