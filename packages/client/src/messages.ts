/** Every sentence of this package's errors. Texts of the service or a user are made {@link printable} by the caller. */

/** Options */

export const wsidMissing =
	'The option wsid is missing or empty. Give the website id that the service gave the store.';

export function numberOptionInvalid(
	name: string,
	rule: { unit: string; min: number; max: number; default: number | string; whole?: boolean },
	shown: string,
): string {
	return (
		`The option ${name} must be a ${rule.whole ? 'whole ' : ''}number of ${rule.unit} from ${rule.min} to ` +
		`${rule.max}, but it is ${shown}. Leave it out for the default (${rule.default}).`
	);
}

export function baseUrlInvalid(shown: string): string {
	return (
		`The option baseUrl is not an http address: ${shown}. ` +
		'Give the origin of the service with its scheme, as in https://reviews.example.'
	);
}

export function baseUrlNotAnOrigin(part: string, origin: string): string {
	return `The option baseUrl contains ${part}, but only an origin is allowed. Write ${origin} instead.`;
}

export function baseUrlNotEncrypted({ origin, host }: URL): string {
	return (
		`The option baseUrl, ${origin}, is not encrypted. Write https://${host} instead, ` +
		'or set allowHttp to true if the network in between is your own.'
	);
}

export function tokenInvalid(given: string, found: string): string {
	return (
		`${given} must be a string of visible ASCII characters without spaces, but it is ${found}. ` +
		'Give the access token alone, without the word Bearer.'
	);
}

export function tokenFunctionFailed(errorName: string): string {
	return (
		`The token function failed (${errorName}), and no request was sent with its token. ` +
		'Its message is not repeated, because it may contain a secret: log it in the function.'
	);
}

export const nothingToAuthorizeWith =
	'The option authorizeCrawlerReviews is on, but there is no token to send. Give the option token, too.';

export function tokenMissing(operation: string): string {
	return `${operation} needs an access token, and the client was given none. Give it as the option token.`;
}

export function productIdInvalid(found: string): string {
	return (
		`A product id must be a string with at least one character, but it is ${found}. ` +
		'Check the list of products.'
	);
}

/** Requests */

/**
 * Names the request at the start of a message.
 *
 * @example requestName('GET', '/api/llmRvwHTML', ['p-1'], 1) // '[GET /api/llmRvwHTML] product "p-1"'
 */
export function requestName(
	method: string,
	path: string,
	shownPids: readonly string[],
	count: number,
): string {
	const names = shownPids.map((pid) => `"${pid}"`).join(', ');
	const products =
		count === 1
			? `product ${names}`
			: `${count} products (${names}${count > shownPids.length ? ', ...' : ''})`;
	return `[${method} ${path}] ${products}`;
}

/** @param problem a clause without a full stop. */
export function requestFailed(request: string, problem: string, attempts: number, hint = ''): string {
	return `${request}: ${problem} after ${tries(attempts)}.${hint && ` ${hint}`}`;
}

export function deadlinePassed(request: string, limit: number, attempts: number): string {
	return (
		`${request}: the deadline of ${limit} ms is used up after ${tries(attempts)}. ` +
		'Raise the option deadline if the service is known to be slow.'
	);
}

export function pauseTooLong(request: string, until: number, attempts: number): string {
	return (
		`${request}: not sent${attempts > 0 ? ' again' : ''}, because the service requested a pause until ` +
		`${new Date(until).toISOString()}, longer than the option maxRetryAfter allows. Try again after that.`
	);
}

export function failedTooOften(request: string, failures: number, until: number): string {
	return (
		`${request}: not sent, because the service failed ${failures} times in a row and is left alone until ` +
		`${new Date(until).toISOString()}. Try again after that.`
	);
}

function tries(count: number): string {
	return count === 1 ? '1 try' : `${count} tries`;
}

/** Problems of answers, each a clause for {@link requestFailed} */

export const connectionFailed = (code: string | undefined) =>
	`the connection failed${code ? ` (${code})` : ''}`;

export const noAnswerInTime = (limit: number) => `no complete answer within ${limit} ms`;

export const redirected = (target: string | undefined) =>
	`the service redirects ${target ? `to ${target}` : 'to an address that cannot be read'}, which is not followed,`;

export const foreignNotFound = (contentType: string | undefined) =>
	'404 from something other than the service ' +
	`(no JSON object${contentType === undefined ? '' : `, content-type: ${contentType}`})`;

export const compressedTwice = (encoding: string) => `the body is compressed more than once (${encoding})`;

export const bodyTooLarge = (maxBytes: number) => `the body is larger than ${maxBytes} bytes`;

export const bodyNotUtf8 = 'the body is not valid UTF-8';

export const bodyNotJson = (contentType: string) => `the body is not JSON (its content-type: ${contentType})`;

export const unsuccessful = (refusal: string) => `the service answered 200, but its body says ${refusal}`;

export const undocumented = (issues: readonly string[], hasMore: boolean) =>
	`the body is not what the service documents (${issues.join('; ')}${hasMore ? '; and more' : ''})`;

export const wrongProduct = (pid: string) => `the answer is about another product, "${pid}",`;

export const missingPart = (part: string) => `the answer lacks ${part}, which was requested,`;

/** Advice on the next step, by what went wrong */
export const HINTS = {
	credentials: 'Check the access token and the wsid.',
	network: 'Check the option baseUrl and the network.',
	timeout: 'Raise the option timeout if the service is known to be slow.',
	redirect: 'Check the option baseUrl: it must be the address that the service answers at.',
	foreign: 'Check the option baseUrl, and whether a gateway in front of the service routes requests to it.',
	'not-json': 'Check the option baseUrl: something other than the service may have answered.',
	'too-large': 'Raise the option maxResponseBytes if such an answer is expected.',
} as const;
