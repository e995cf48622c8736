import { ReviewsError, ReviewsHttpError } from 'product-reviews-client/errors';
import {
	parseRetryAfter,
	type RequestOptions,
	resolveThrottle,
	Sender,
	ThrottledCall,
	type ThrottledRequest,
	type ThrottleOptions,
} from 'product-reviews-client/sender';
import { ReviewPayloadError } from '../errors.js';
import { describeCause } from '../failures/describe-failure.js';
import { codeOf } from '../failures/policy.js';
import type { ProviderOptions, ReviewProvider } from '../options/provider.js';
import type { RequestFacts } from '../outcomes/outcomes.js';
import { createDropCounter, type Drop } from '../parse/field-reader.js';
import { readProviderData, readProviderRatings, readProviderReviews } from './read-provider-reviews.js';
import type { Answer, ProviderCalls } from './review-fetcher.js';

export interface ProviderCallOptions extends ThrottleOptions {
	readonly env: ProviderOptions['env'];
	readonly onRequest?: ((facts: RequestFacts) => void) | undefined;
	/** Awaited before an answer is read, which may take a while. @default it is read at once */
	readonly pause?: (() => Promise<void>) | undefined;
}

interface Asked extends ThrottledRequest {
	readonly operation: RequestFacts['operation'];
}

/** Calls the functions of a merchant's provider as the client calls the hosted service, and checks what they return. */
export function createProviderCalls(provider: ReviewProvider, options: ProviderCallOptions): ProviderCalls {
	const settings = resolveThrottle(options);
	const sender = new Sender(settings);
	const ask = <Value>(
		asked: Asked,
		name: keyof ReviewProvider,
		call: (given: ProviderOptions) => unknown,
		read: (answer: unknown) => Value,
	) =>
		sender.send(asked, (request) => new ProviderCall(request, name, { ...options, ...settings, call, read }));
	const askForReviews = <Value>(
		pid: string,
		asked: RequestOptions | undefined,
		read: (answer: unknown) => Value,
	) =>
		ask(
			{ ...asked, operation: 'crawlerReviews', pids: [pid] },
			'reviews',
			(given) => provider.reviews(pid, given),
			read,
		);
	const readReviews = (pid: string, answer: unknown) =>
		checked((drop) => readProviderReviews(pid, answer, drop));
	const readData = (pid: string, answer: unknown) => checked((drop) => readProviderData(pid, answer, drop));
	const { reviewData } = provider;
	return {
		reviews: (pid, asked) => askForReviews(pid, asked, (answer) => readReviews(pid, answer)),
		reviewData: (pid, asked) =>
			reviewData
				? ask(
						{ ...asked, operation: 'productReviewData', pids: [pid] },
						'reviewData',
						(given) => provider.reviewData?.(pid, given),
						(answer) => readData(pid, answer),
					)
				: askForReviews(pid, asked, (answer) => readData(pid, answer)),
		...(!reviewData && {
			all: (pid, asked) =>
				askForReviews(pid, asked, (answer) => ({
					reviews: readReviews(pid, answer),
					'review-data': readData(pid, answer),
				})),
		}),
		ratings(pids, asked) {
			const request = { ...asked, operation: 'starRating', pids } as const;
			return ask(request, 'ratings', (given) => provider.ratings?.(pids, given), readProviderRatings);
		},
		prioritize: (resource, pid) =>
			sender.prioritize(resource === 'reviews' || !reviewData ? 'crawlerReviews' : 'productReviewData', pid),
	};
}

function checked<Value>(read: (drop: Drop) => Value): Answer<Value> {
	const { drop, dropped } = createDropCounter();
	return { value: read(drop), dropped };
}

interface CalledFunction<Answer>
	extends Pick<ProviderCallOptions, 'env' | 'onRequest' | 'pause'>,
		Pick<ReturnType<typeof resolveThrottle>, 'now' | 'maxPause' | 'maxResponseBytes'> {
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
		this.title = `${name}() of the provider`;
		this.#function = called;
	}

	override async send(signal: AbortSignal): Promise<Answer> {
		const { call, read, env, pause } = this.#function;
		let answer: unknown;
		try {
			answer = await call({ signal, env });
		} catch (error) {
			signal.throwIfAborted();
			throw this.#failureOf(error);
		}
		const text = this.#write(answer);
		await pause?.();
		return read(JSON.parse(text));
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
		let text: string;
		try {
			text = JSON.stringify(answer ?? null) ?? '0';
		} catch (cause) {
			const problem = `cannot be written as JSON: ${describeCause(cause)}`;
			throw new ReviewPayloadError(this.failed(`the answer ${problem}`), PLAIN, { cause });
		}
		this.bytes = new TextEncoder().encode(text).length;
		if (this.bytes <= most) return text;
		const problem = this.failed(`the answer is larger than ${most} bytes`);
		throw new ReviewPayloadError(problem, 'Raise the option maxResponseBytes if such an answer is expected.');
	}

	#failureOf(error: unknown): ReviewsError {
		const response = responseOf(error);
		this.status = response?.status;
		// Somebody may throw the response itself.
		const said = response && !(error instanceof Error) ? 'refused' : describeCause(error);
		const details = this.details(error);
		if (response === undefined) return new ReviewsError('PR_PROVIDER_FAILED', this.failed(said), details);
		const { now, maxPause } = this.#function;
		const header = headerOf(response, 'retry-after');
		const retryAfter = parseRetryAfter(header, now(), maxPause);
		const message = said.includes(`${response.status}`) ? said : `${said} (status ${response.status})`;
		return new ReviewsHttpError(this.failed(message), { ...details, retryAfter });
	}
}

const PLAIN = 'Return plain data: no functions, no circles, and no BigInt.';

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
