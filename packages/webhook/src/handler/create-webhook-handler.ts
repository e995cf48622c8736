import type { Change } from '../changes/change.js';
import { productIds, readProductIds } from '../changes/read-product-ids.js';
import { checkNumber } from '../errors.js';
import { quietly } from '../quietly.js';
import { toVerifiers } from '../verify/to-verifiers.js';
import type { UnverifiedRequest, Verified, Verifier, Verify } from '../verify/verifier.js';
import { answers } from './answers.js';
import { readBody } from './read-body.js';
import { createReplays, type Replays } from './replays.js';

/** Options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Context = unknown> {
	/** How requests prove that they come from the review service; with several, one of them is enough. */
	readonly verify: Verify;
	/**
	 * Takes a change down, before the sender hears that it was accepted. It must be quick: what is to be done about it is
	 * done later. When it throws or rejects, the answer is 503 and the sender tries again. `false` says that this event was
	 * taken down before.
	 * @param context what the handler was called with beside the request.
	 */
	readonly onChange: (change: Change, context: Context | undefined) => unknown;
	/**
	 * Finds the product ids in a body of another shape. None, or an error: anything may have changed.
	 * @default `data.pid` and `data.arrpid`
	 */
	readonly select?: ((body: unknown) => readonly unknown[] | undefined) | undefined;
	/** Longest body, in bytes. @default 262_144 (256 KiB) */
	readonly maxBytes?: number | undefined;
	/** Events that were taken already. @default those of this process */
	readonly replays?: Replays | undefined;
	/** Hears of what went wrong inside; never holds a secret. @default nobody does */
	readonly onError?: ((error: unknown) => void) | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}

/**
 * Makes the function that receives the review service's events: a `Request` in, a `Response` out, on every platform that
 * has both. It answers 202 once the change is taken down, 405, 413, 415, 400 and 401 for what is no event of the service,
 * and 503 where the change could not be taken down.
 *
 * @throws WebhookConfigurationError where `verify` is missing or `maxBytes` is no number.
 * @example
 * export const POST = createWebhookHandler({ verify: standardWebhooks(secret), onChange: ({ pids }) => mark(pids) });
 */
export function createWebhookHandler<Context = unknown>(
	options: WebhookHandlerOptions<Context>,
): (request: Request, context?: Context) => Promise<Response> {
	const { onChange, maxBytes = 262_144, now = Date.now } = options;
	checkNumber('maxBytes', maxBytes, 1);
	const onError = quietly(options.onError);
	const verifiers = toVerifiers(options.verify);
	const select = options.select && safely(options.select, onError);
	const replays = options.replays ?? createReplays(now);
	// Events that are being taken down: what becomes of a copy is what becomes of them.
	const underway = new Map<string, Promise<Response>>();

	const take = async (change: Change, context: Context | undefined): Promise<Response> => {
		try {
			return (await onChange(change, context)) === false ? answers.replayed() : answers.accepted();
		} catch (error) {
			if (change.id !== undefined) replays.forget(change.id);
			onError(error);
			return answers.notRecorded();
		}
	};

	return async (request, context) => {
		if (request.method !== 'POST') return answers.notPost();
		const { headers } = request;
		const missing = missingHeaders(verifiers, headers);
		if (missing) return answers.missingHeader(missing);
		const body = await readBody(request, maxBytes);
		if (!body) return answers.tooLarge(maxBytes);
		if (body.length > 0 && !JSON_TYPE.test(headers.get('content-type') ?? '')) return answers.notJson();
		const receivedAt = now();
		const verified = await verify(verifiers, { headers, body, receivedAt }, onError);
		if (!verified) return answers.notGenuine();
		const event = parse(body);
		if (!event) return answers.unreadable();

		const { id, validFor = VALID_FOR } = verified;
		if (id !== undefined && !replays.add(id, receivedAt + validFor)) {
			const first = await underway.get(id);
			return first?.ok === false ? answers.notRecorded() : answers.replayed();
		}
		const pids = select ? selected(select(event.json)) : readProductIds(event.json);
		const change = { id, pids: pids ?? [], all: !pids, type: typeOf(event.json), receivedAt };
		const answer = take(change, context);
		if (id === undefined) return answer;
		underway.set(id, answer);
		return answer.finally(() => underway.get(id) === answer && underway.delete(id));
	};
}

/** How long an event is remembered whose verifier does not say how long it is good for, in milliseconds. */
const VALID_FOR = 600_000;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Headers that are missing for each of the verifiers; `undefined` where one of them can decide. */
function missingHeaders(verifiers: readonly Verifier[], headers: Headers): readonly string[] | undefined {
	const missing = verifiers.map((verifier) => verifier.headers.filter((name) => !headers.has(name)));
	const least = missing.toSorted((one, other) => one.length - other.length)[0] ?? [];
	return least.length > 0 ? least : undefined;
}

/** Every verifier is asked in turn; one that throws has not found the request genuine. */
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

/** An empty body says that something changed, and not what. */
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

/** What `select` returned may be anything. */
function selected(list: unknown): readonly string[] | undefined {
	return Array.isArray(list) ? productIds(list) : undefined;
}

function typeOf(body: unknown): string | undefined {
	const type = (body as { type?: unknown } | null | undefined)?.type;
	return typeof type === 'string' && TYPE.test(type) ? type : undefined;
}

const TYPE = /^[\w.-]{1,100}$/;
