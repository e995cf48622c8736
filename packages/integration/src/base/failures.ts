import { ReviewsError, ReviewsHttpError } from 'product-reviews-client/errors';
import {
	CODES_OF_KINDS,
	type ErrorCode,
	type FailureKind,
	ProductReviewsError,
	type Refusal,
	ReviewServiceError,
} from '../errors.js';
import { cleanLine } from './words.js';

const MOST_LETTERS = 300;

/** Letters of a message in which secrets are looked for. */
const MOST_READ = 4_000;

/** Causes that are followed: an error may be its own cause. */
const MOST_CAUSES = 10;

export type Redact = (text: string) => string;

/**
 * Says what went wrong, for a log line: the error's message, printable, short and on one line.
 * @param redact removes secrets: before a cut or what cleans the text can take half of one away, and what that puts together.
 */
export function describeFailure(error: unknown, redact: Redact = (text) => text): string {
	const message = error instanceof Error ? error.message : String(error);
	const text = cleanLine(redact(message.slice(0, MOST_READ)), MOST_LETTERS);
	return text === undefined ? (error instanceof Error ? error.name : 'unknown error') : redact(text);
}

/**
 * The message of an error and of its deepest cause, for a log line: "fetch failed: connect ECONNREFUSED 127.0.0.1:80".
 * Messages of network errors contain hosts and ports. Addresses in other messages are shown without the parts that may
 * be secret.
 */
export function describeCause(error: unknown, redact: Redact = withoutCredentials): string {
	const said = describeFailure(error, redact);
	const deepest = deepestCause(error);
	const why = deepest === error ? said : describeFailure(deepest, redact);
	if (said.includes(why)) return said;
	return said.endsWith('.') ? `${said} Cause: ${why}` : `${said}: ${why}`;
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

/** Removes user, password, query and fragment from every address in a text, also from those that no parser accepts. */
export function withoutCredentials(text: string): string {
	return text
		.replace(UNESCAPED_PASSWORD, '$1')
		.replace(/(\b[a-z][\w+.-]*:\/\/)[^\s/?#@]*@/gi, '$1')
		.replace(/(\b[a-z][\w+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, '$1');
}

/**
 * User and password, as somebody may write them: with slashes, signs, spaces and line breaks. Behind digits, which may be a
 * port, only what has no space.
 */
const UNESCAPED_PASSWORD =
	/(\b[a-z][\w+.-]*:\/\/)(?!\[)[^\s/?#@:]*:(?:(?!\d+\b|\s|$)[^@]{0,1000}|\d[^\s@]*)@(?:[^\s/@]*@)*/gi;

const KINDS = Object.keys(CODES_OF_KINDS) as FailureKind[];

/** The kind of a failure of the service or the client; `'other'` if it is not a known one. */
export function kindOf(error: unknown): FailureKind {
	if (error instanceof ReviewServiceError) return error.kind;
	return KINDS.find((kind) => CODES_OF_KINDS[kind] === codeOf(error)) ?? 'other';
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

/** Returns what a function returns; `undefined` if it throws. */
export function unlessFailing<Result>(read: () => Result): Result | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
