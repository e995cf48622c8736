import type { Change } from '../changes/change.js';
import { type OnUnusable, productIds, readProductIds } from '../changes/read-product-ids.js';
import { checkNumber, WebhookConfigurationError } from '../errors.js';
import { quietly } from '../quietly.js';
import type { UnverifiedRequest, Verified, Verifier, Verify, VerifyFunction } from '../verify/verifier.js';
import type { VerifyHmac } from '../verify/verify-hmac.js';
import { type Answer, answers } from './answers.js';
import { createReplays } from './replays.js';
import type { WebhookHandlerOptions } from './webhook-handler-options.js';

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
