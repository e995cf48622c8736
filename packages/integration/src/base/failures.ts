import { ReviewsError, ReviewsHttpError } from 'product-reviews-client/errors';
import {
	CODES_OF_KINDS,
	type ErrorCode,
	FAILURE_KINDS,
	type FailureKind,
	ProductReviewsError,
	type Refusal,
	ReviewServiceError,
} from '../errors.js';
import { cleanLine } from './words.js';

const MOST_LETTERS = 300;

/** Causes that are followed: an error may be its own cause. */
const MOST_CAUSES = 10;

/** Says what went wrong, for a log line: the error's message, printable, short and on one line. */
export function describeFailure(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return cleanLine(message, MOST_LETTERS) ?? (error instanceof Error ? error.name : 'unknown error');
}

/**
 * The message of an error and of its deepest cause, for a log line: "fetch failed: connect ECONNREFUSED 127.0.0.1:80".
 * Messages of network errors contain hosts and ports. Addresses in other messages are shown without the parts that may
 * be secret.
 */
export function describeCause(error: unknown): string {
	const said = withoutCredentials(describeFailure(error));
	const deepest = deepestCause(error);
	const why = deepest === error ? said : withoutCredentials(describeFailure(deepest));
	return said.includes(why) ? said : `${said}: ${why}`;
}

function deepestCause(error: unknown, depth = 0): unknown {
	const cause = causeOf(error) ?? undefined;
	return cause === undefined || depth === MOST_CAUSES ? error : deepestCause(cause, depth + 1);
}

/** A host name with several addresses fails with an error for each. The first says as much as all of them. */
function causeOf(error: unknown): unknown {
	if (error instanceof AggregateError && error.message === '') return error.errors[0];
	const cause = error instanceof Error ? error.cause : undefined;
	// A response says nothing.
	return cause instanceof Response ? undefined : cause;
}

/** Removes user, password, query and fragment from every address in a text. */
function withoutCredentials(text: string): string {
	return text
		.replace(/(\b[a-z][\w+.-]*:\/\/)[^\s/?#@]*@/gi, '$1')
		.replace(/(\b[a-z][\w+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, '$1');
}

const KINDS = new Map<ErrorCode, FailureKind>(
	FAILURE_KINDS.map((kind) => [CODES_OF_KINDS[kind], kind] as const),
);

/** The kind of a failure of the service or the client; `'other'` if it is not a known one. */
export function kindOf(error: unknown): FailureKind {
	return error instanceof ReviewServiceError ? error.kind : (KINDS.get(codeOf(error)) ?? 'other');
}

export function codeOf(error: unknown): ErrorCode {
	if (error instanceof ProductReviewsError || error instanceof ReviewsError) return error.code;
	return CODES_OF_KINDS.other;
}

/** Bad request, unauthorized, forbidden: the request or its credentials are wrong. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403]);

export function refusalOf(error: unknown): Refusal | undefined {
	if (error instanceof ReviewServiceError) return error.refusal;
	if (!(error instanceof ReviewsHttpError)) return undefined;
	const { status, operation } = error;
	// A product or path that does not exist is a refusal too: the id may be wrong.
	return REFUSED.has(status) || status === 404 ? { status, operation } : undefined;
}
