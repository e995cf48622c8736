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
import { codeOf, describeCause, type Redact, withoutCredentials } from '../base/failures.js';
import { ReviewPayloadError } from '../errors.js';
import type { ProviderOptions, ReviewProvider } from '../options/provider.js';
import { createAnswer } from '../records/parts.js';
import type { OnePass } from './one-pass.js';
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
	readonly onePass?: typeof OnePass | undefined;
	/** Awaited before an answer is read, which may take a while. @default it is read at once */
	readonly pause?: (() => Promise<void>) | undefined;
}

type Asked = ThrottledRequest & Pick<RequestFacts, 'operation'>;

/** Calls the functions of a merchant's provider as the client calls the hosted service, and checks what they return. */
export function createProviderCalls(provider: ReviewProvider, options: ProviderCallOptions): ProviderCalls {
	const settings = resolveThrottle(options);
	const sender = new Sender(settings);
	const { env, redact } = rememberVariables(options.env);
	const send = <Value>(
		asked: Asked,
		name: keyof ReviewProvider,
		call: (given: ProviderOptions) => unknown,
		read: (answer: unknown) => Value,
	) =>
		sender.send(
			asked,
			(request) => new ProviderCall(request, name, { ...options, ...settings, env, redact, call, read }),
		);
	const pass = provider.all && options.onePass && new options.onePass(provider, readPage);
	function readPage(cursor: string | undefined, signal: AbortSignal) {
		const request = { operation: 'crawlerReviews', pids: [], signal } as const;
		return send(request, 'all', (given) => provider.all?.(cursor, given), readProviderPage);
	}
	const operations = { reviews: 'crawlerReviews', reviewData: 'productReviewData' } as const;
	const ask = <Value>(
		name: keyof typeof operations,
		pid: string,
		asked: RequestOptions | undefined,
		read: (answer: unknown) => Value,
	) => {
		if (pass && name === 'reviews' && !pass.isSingle(pid)) return pass.reviewsOf(pid).then(read);
		const request = { ...asked, operation: operations[name], pids: [pid] };
		return send(request, name, (given) => provider[name]?.(pid, given), read);
	};
	let { warn } = options;
	const warnOnce = (message: string) => {
		warn?.(message);
		warn = undefined;
	};
	const reviewsIn = (pid: string) => (answer: unknown) =>
		createAnswer('reviews', (drop) => readProviderReviews(pid, answer, drop, warnOnce));
	const dataIn = (pid: string) => (answer: unknown) =>
		createAnswer('review-data', (drop) => readProviderData(pid, answer, drop, warnOnce));
	const allIn = (pid: string) => (answer: unknown) => ({
		reviews: reviewsIn(pid)(answer),
		'review-data': dataIn(pid)(answer),
	});
	const source = provider.reviewData ? 'reviewData' : 'reviews';
	return {
		reviews: (pid, asked) => ask('reviews', pid, asked, reviewsIn(pid)),
		reviewData: (pid, asked) => ask(source, pid, asked, dataIn(pid)),
		...(source === 'reviews' && { all: (pid, asked) => ask(source, pid, asked, allIn(pid)) }),
		ratings(pids, asked) {
			const request = { ...asked, operation: 'starRating', pids } as const;
			return send(request, 'ratings', (given) => provider.ratings?.(pids, given), readProviderRatings);
		},
		close: () => pass?.close(),
		prioritize: (part, pid) => sender.prioritize(operations[part === 'reviews' ? part : source], pid),
	};
}

interface CalledFunction<Answer>
	extends Pick<ProviderCallOptions, 'env' | 'module' | 'onRequest' | 'pause'>,
		Pick<ReturnType<typeof resolveThrottle>, 'now' | 'maxPause' | 'maxResponseBytes'> {
	readonly redact: Redact;
	readonly call: (given: ProviderOptions) => unknown;
	readonly read: (answer: unknown) => Answer;
}

/** One call of a provider's function. */
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
		const { maxResponseBytes: most } = this.#function;
		if (answer === undefined) {
			throw new ReviewPayloadError(
				this.failed('it returned undefined'),
				'Return null where there is nothing.',
			);
		}
		let text: string;
		try {
			text = JSON.stringify(answer) ?? '0';
		} catch (cause) {
			const problem = `cannot be written as JSON: ${describeCause(cause, this.#function.redact)}`;
			throw new ReviewPayloadError(this.failed(`the response ${problem}`), PLAIN);
		}
		this.bytes = new TextEncoder().encode(text).length;
		if (this.bytes <= most) return text;
		const problem = this.failed(`the response is larger than ${most} bytes`);
		throw new ReviewPayloadError(
			problem,
			'Raise the option maxResponseBytes if such a response is expected.',
		);
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
		const header = headerOf(response, 'retry-after');
		const retryAfter = parseRetryAfter(header, now(), maxPause);
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

/** Failure that another try would meet again. */
class LastingFailure extends ReviewsError {
	override get isTemporary(): boolean {
		return false;
	}
}

/** Returns whether an address cannot be read: `fetch` has that as its cause. */
function isInvalidAddress(error: unknown): boolean {
	const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
	return code === 'ERR_INVALID_URL' || (cause !== undefined && isInvalidAddress(cause));
}

interface AnyResponse {
	readonly status: number;
	readonly headers?: unknown;
}

/** The response that an error tells of: as its cause, or as the errors of widespread HTTP clients have it. */
function responseOf(error: unknown): AnyResponse | undefined {
	const { cause, response } = (error ?? {}) as { readonly cause?: unknown; readonly response?: unknown };
	const found = [response, cause, error] as (Partial<AnyResponse> | null | undefined)[];
	return found.find((one): one is AnyResponse => typeof one?.status === 'number' && one.status >= 400);
}

function headerOf({ headers }: AnyResponse, name: string): string | null {
	if (headers instanceof Headers) return headers.get(name);
	const value = (headers as Readonly<Record<string, unknown>> | undefined)?.[name];
	return value === undefined || value === null ? null : String(value);
}
