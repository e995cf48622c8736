import { ReviewsError, ReviewsHttpError } from 'product-reviews-client/errors';
import {
	parseRetryAfter,
	type RequestOptions,
	redactCause,
	resolveThrottle,
	Sender,
	ThrottledCall,
	type ThrottledRequest,
	type ThrottleOptions,
} from 'product-reviews-client/sender';
import { createThrottle } from '../base/async.js';
import { codeOf, describeCause, type Redact, withoutCredentials } from '../base/failures.js';
import { ReviewPayloadError } from '../errors.js';
import type { ProviderOptions, ReviewProvider } from '../options/provider.js';
import { fieldsOf } from '../records/field-reader.js';
import { createAnswer } from '../records/parts.js';
import type { createOnePass } from './one-pass.js';
import {
	readProviderData,
	readProviderPage,
	readProviderRatings,
	readProviderReviews,
} from './read-provider-reviews.js';
import type { ProviderCalls, RequestFacts } from './review-fetcher.js';

export interface ProviderCallOptions extends ThrottleOptions {
	readonly env: ProviderOptions['env'];
	/** Names its module in errors. @default 'the provider' */
	readonly module?: string | undefined;
	readonly onRequest?: ((facts: RequestFacts) => void) | undefined;
	/** Called at most once, with what some answers lack. */
	readonly warn?: ((message: string) => void) | undefined;
	/** Reads the reviews of all products once, in a run that ends. It needs Node. @default products are asked for one by one */
	readonly onePass?: typeof createOnePass | undefined;
	/** Awaited before an answer is read, which may take a while. @default it is read at once */
	readonly pause?: (() => Promise<void>) | undefined;
}

type Asked = ThrottledRequest & Pick<RequestFacts, 'operation'>;

/** The functions of a provider, by the operations of the service that they stand for. */
const OPERATIONS = {
	reviews: 'crawlerReviews',
	reviewData: 'productReviewData',
	ratings: 'starRating',
	all: 'crawlerReviews',
} as const;

/** Calls the functions of a merchant's provider as the client calls the hosted service, and checks what they return. */
export function createProviderCalls(provider: ReviewProvider, options: ProviderCallOptions): ProviderCalls {
	const settings = resolveThrottle(options);
	const sender = new Sender(settings);
	const { env, redact } = rememberVariables(options.env);
	const send = <Value>(
		name: keyof typeof OPERATIONS,
		pids: readonly string[],
		asked: RequestOptions | undefined,
		call: (given: ProviderOptions) => unknown,
		read: (answer: unknown) => Value,
	) =>
		sender.send({ ...asked, operation: OPERATIONS[name], pids }, (request) => {
			const called = { ...options, ...settings, env, redact, call, read };
			return new ProviderCall(request, name, called);
		});
	const pass =
		provider.all &&
		options.onePass?.(provider, (cursor, signal) =>
			send('all', [], { signal }, (given) => provider.all?.(cursor, given), readProviderPage),
		);
	const ask = <Value>(
		name: 'reviews' | 'reviewData',
		pid: string,
		asked: RequestOptions | undefined,
		readOf: (pid: string, answer: unknown) => Value,
	) => {
		const read = (answer: unknown) => readOf(pid, answer);
		if (pass && name === 'reviews' && !pass.isSingle(pid)) return pass.reviewsOf(pid).then(read);
		return send(name, [pid], asked, (given) => provider[name]?.(pid, given), read);
	};
	const warn = createThrottle(Number.POSITIVE_INFINITY, options.warn ?? (() => {}));
	const reviewsIn = (pid: string, answer: unknown) =>
		createAnswer('reviews', (drop) => readProviderReviews(pid, answer, drop, warn));
	const dataIn = (pid: string, answer: unknown) =>
		createAnswer('review-data', (drop) => readProviderData(pid, answer, drop, warn));
	const allIn = (pid: string, answer: unknown) => ({
		reviews: reviewsIn(pid, answer),
		'review-data': dataIn(pid, answer),
	});
	const source = provider.reviewData ? 'reviewData' : 'reviews';
	return {
		reviews: (pid, asked) => ask('reviews', pid, asked, reviewsIn),
		reviewData: (pid, asked) => ask(source, pid, asked, dataIn),
		...(source === 'reviews' && { all: (pid, asked) => ask(source, pid, asked, allIn) }),
		ratings: (pids, asked) =>
			send('ratings', pids, asked, (given) => provider.ratings?.(pids, given), readProviderRatings),
		close: () => pass?.close(),
		prioritize: (part, pid) => sender.prioritize(OPERATIONS[part === 'reviews' ? part : source], pid),
	};
}

interface CalledFunction<Answer>
	extends Pick<ProviderCallOptions, 'env' | 'module' | 'onRequest' | 'pause'>,
		Pick<ReturnType<typeof resolveThrottle>, 'now' | 'maxPause' | 'maxResponseBytes'> {
	readonly redact: Redact;
	readonly call: (given: ProviderOptions) => unknown;
	readonly read: (answer: unknown) => Answer;
}

class ProviderCall<Answer> extends ThrottledCall<Answer> {
	declare readonly request: Asked;
	readonly title: string;
	readonly #function: CalledFunction<Answer>;

	constructor(request: Asked, name: string, called: CalledFunction<Answer>) {
		super(request);
		this.title = `${name}() of ${called.module ?? 'the provider'}`;
		this.#function = called;
	}

	override async send(signal: AbortSignal): Promise<Answer> {
		const { call, read: check, env, pause } = this.#function;
		let answer: unknown;
		const unset = new Set<string>();
		const read = (name: string) => {
			const value = env(name);
			if (!value) unset.add(name);
			return value;
		};
		try {
			answer = await call({ signal, env: read });
		} catch (error) {
			signal.throwIfAborted();
			throw this.#failureOf(error, [...unset]);
		}
		const text = this.#write(answer);
		await pause?.();
		return check(JSON.parse(text));
	}

	override tried(durationMs: number, failure: unknown): void {
		const { request, title, attempts, status, bytes } = this;
		this.#function.onRequest?.({
			operation: request.operation,
			method: 'call',
			url: title,
			pids: request.pids,
			attempt: attempts,
			...(status !== undefined && { status }),
			durationMs,
			bytes,
			...(failure !== undefined && { code: codeOf(failure) }),
		});
	}

	/** As JSON, an answer is plain data, and its size is known. Dates become texts. */
	#write(answer: unknown): string {
		const { maxResponseBytes: most, redact } = this.#function;
		const unusable = (problem: string, hint: string) => new ReviewPayloadError(this.failed(problem), hint);
		if (answer === undefined) throw unusable('it returned undefined', 'Return null where there is nothing.');
		let text: string;
		try {
			text = JSON.stringify(answer) ?? '0';
		} catch (cause) {
			const why = describeCause(cause, redact);
			throw unusable(`the response cannot be written as JSON: ${why}`, PLAIN);
		}
		this.bytes = new TextEncoder().encode(text).length;
		if (this.bytes <= most) return text;
		throw unusable(`the response is larger than ${most} bytes`, LARGER);
	}

	/** @param unset variables that the provider asked for, and that are not set */
	#failureOf(error: unknown, unset: readonly string[]): ReviewsError {
		const response = responseOf(error);
		this.status = response?.status;
		// Somebody may throw the response itself.
		const { redact } = this.#function;
		const said = response && !(error instanceof Error) ? 'refused' : describeCause(error, redact);
		const details = this.details(redactCause(error, redact));
		const isNamed = unset.every((name) => said.includes(name));
		const missing = isNamed ? '' : `; not set: ${unset.join(', ')}`;
		// Another try finds the same environment, and the same address.
		if (unset.length > 0 || isInvalidAddress(error))
			return new LastingFailure('PR_PROVIDER_FAILED', this.failed(said + missing), details);
		if (response === undefined) return new ReviewsError('PR_PROVIDER_FAILED', this.failed(said), details);
		const { now, maxPause } = this.#function;
		const retryAfter = parseRetryAfter(retryAfterIn(response), now(), maxPause);
		const message = said.includes(`${response.status}`) ? said : `${said} (status ${response.status})`;
		return new ReviewsHttpError(this.failed(message), { ...details, retryAfter });
	}
}

/** Length of a value that may be a secret. Shorter ones would be found in many words. */
const LEAST_LETTERS = 6;

/** Remembers the variables that are read, so that a text can have their names in place of their values. */
function rememberVariables(read: ProviderOptions['env']) {
	const names = new Map<string, string>();
	return {
		env(name: string): string | undefined {
			const value = read(name);
			for (const form of formsOf(value?.toWellFormed() ?? '')) names.set(form, name);
			return value;
		},
		redact(text: string): string {
			let clean = text;
			// The longest first, because one may be a part of another.
			for (const form of [...names.keys()].sort((one, other) => other.length - one.length)) {
				clean = clean.replaceAll(form, `[${names.get(form)}]`);
			}
			return withoutCredentials(clean);
		},
	};
}

/** Returns the forms in which a message may contain a value or one of its lines. */
function formsOf(value: string): readonly string[] {
	const parts = [value, ...value.split(/[\r\n]+/)].flatMap((part) => [part, part.trim()]);
	return [...new Set(parts)]
		.filter(({ length }) => length >= LEAST_LETTERS)
		.flatMap((part) => [part, encodeURIComponent(part), JSON.stringify(part).slice(1, -1), base64Of(part)]);
}

const base64Of = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const PLAIN = 'Return plain data: no functions, no circles, and no BigInt.';

const LARGER = 'Raise the option maxResponseBytes if such a response is expected.';

/** Failure that another try would meet again. */
class LastingFailure extends ReviewsError {
	override get isTemporary(): boolean {
		return false;
	}
}

/** Returns whether an address cannot be read: `fetch` has that as its cause. */
function isInvalidAddress(error: unknown): boolean {
	const { code, cause } = fieldsOf(error);
	return code === 'ERR_INVALID_URL' || (cause !== undefined && isInvalidAddress(cause));
}

interface AnyResponse {
	readonly status: number;
	readonly headers?: unknown;
}

/** The response that an error tells of: as its cause, or as the errors of widespread HTTP clients have it. */
function responseOf(error: unknown): AnyResponse | undefined {
	const { cause, response } = fieldsOf(error);
	const found = [response, cause, error] as (Partial<AnyResponse> | null | undefined)[];
	return found.find((one): one is AnyResponse => typeof one?.status === 'number' && one.status >= 400);
}

function retryAfterIn({ headers }: AnyResponse): string | null {
	if (headers instanceof Headers) return headers.get('retry-after');
	const value = fieldsOf(headers)['retry-after'] ?? null;
	return value === null ? null : String(value);
}
