import type { Change } from '../changes/change.js';
import { type OnUnusable, productIds, readProductIds } from '../changes/read-product-ids.js';
import { checkNumber } from '../errors.js';
import { quietly } from '../quietly.js';
import { toVerifiers } from '../verify/to-verifiers.js';
import type { UnverifiedRequest, Verified, Verifier } from '../verify/verifier.js';
import type { VerifyHmac } from '../verify/verify-hmac.js';
import { type Answer, answers } from './answers.js';
import { createReplays } from './replays.js';
import type { WebhookHandlerOptions } from './webhook-handler-options.js';

/** A request as a server has it. */
interface IncomingEvent<Context> {
	readonly method: string;
	readonly headers: Headers;
	/** Reads the body; `undefined` where it is longer than so many bytes: no more of it is read then. */
	readBody(mostBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
	/** What else belongs to it. */
	readonly context?: Context | undefined;
}

/** What becomes of a request. */
export type ReceiveEvent<Context = unknown> = (event: IncomingEvent<Context>) => Promise<Answer>;

/**
 * Decides what is answered to a request, whatever server it came to, and has the change of a genuine one taken down.
 * @param verifyHmac the platform's own way to check a signature. @default WebCrypto's
 * @throws WebhookConfigurationError where `verify` is missing or `maxBytes` is no number.
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
				`An event names ${count} product ${count === 1 ? 'id' : 'ids'} that cannot be used, so anything may have changed.`,
			),
		);
	const replays = options.replays ?? createReplays(now);
	// Events that are being taken down: what becomes of a copy is what becomes of them.
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
function selected(list: unknown, onUnusable: OnUnusable): readonly string[] | undefined {
	return Array.isArray(list) ? productIds(list, onUnusable) : undefined;
}

function typeOf(body: unknown): string | undefined {
	const type = (body as { type?: unknown } | null | undefined)?.type;
	return typeof type === 'string' && TYPE.test(type) ? type : undefined;
}

const TYPE = /^[\w.-]{1,100}$/;
