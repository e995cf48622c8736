export interface NumberRule {
	readonly unit: string;
	readonly min: number;
	readonly max: number;
	readonly default: number;
	readonly whole?: boolean;
}

/** Every sentence of this package's errors. Texts of the service or a user are made printable by the caller. */
export const messages = {
	// Options and arguments.
	wsidMissing: 'The option wsid is missing or empty. Give the website id that the service gave the store.',
	numberOption: (name: string, rule: NumberRule, shown: string) =>
		`The option ${name} must be a ${rule.whole ? 'whole ' : ''}number of ${rule.unit} from ${rule.min} to ` +
		`${rule.max}, but it is ${shown}. Leave it out for the default ` +
		`(${rule.default === Infinity ? 'no limit' : rule.default}).`,
	baseUrlInvalid: (shown: string) =>
		`The option baseUrl is not an http address: ${shown}. ` +
		'Give the origin of the service with its scheme, as in https://reviews.example.',
	baseUrlNotAnOrigin: (part: string, origin: string) =>
		`The option baseUrl contains ${part}, but only an origin is allowed. Write ${origin} instead.`,
	baseUrlNotEncrypted: ({ origin, host }: URL) =>
		`The option baseUrl, ${origin}, is not encrypted. Write https://${host} instead, ` +
		'or set allowHttp to true if the network in between is your own.',
	tokenInvalid: (given: string, found: string) =>
		`${given} must be a string of visible ASCII characters without spaces, but it is ${found}. ` +
		'Give the access token alone, without the word Bearer.',
	tokenFunctionFailed: (errorName: string) =>
		`The token function failed (${errorName}), and no request was sent with its token. ` +
		'Its message is not repeated, because it may contain a secret: log it in the function.',
	noTokenToSend:
		'The option sendTokenForReviews is on, but there is no token to send. Give the option token, too.',
	tokenMissing: (operation: string) =>
		`${operation} needs an access token, and the client was given none. Give it as the option token.`,
	productIdInvalid: (found: string) =>
		`A product id must be a string with at least one character, but it is ${found}. Check the list of products.`,

	// Requests. Each begins with a name such as `[GET /api/llmRvwHTML] product "p-1"`.
	requestName(method: string, path: string, shownPids: readonly string[], count: number): string {
		const names = shownPids.map((pid) => `"${pid}"`).join(', ');
		const more = count > shownPids.length ? ', ...' : '';
		return `[${method} ${path}] ${count === 1 ? `product ${names}` : `${count} products (${names}${more})`}`;
	},
	requestFailed: (request: string, problem: string, attempts: number, hint: string) =>
		`${request}: ${problem} after ${tries(attempts)}.${hint && ` ${hint}`}`,
	deadlinePassed: (request: string, limit: number, attempts: number) =>
		`${request}: the deadline of ${limit} ms is used up after ${tries(attempts)}. ` +
		'Raise the option deadline if the service is known to be slow.',
	pauseTooLong: (request: string, until: number, attempts: number) =>
		`${request}: not sent${attempts > 0 ? ' again' : ''}, because the service requested a pause until ` +
		`${new Date(until).toISOString()}, longer than the option maxRetryAfter allows. Try again after that.`,
	failedTooOften: (request: string, until: number, failures: number) =>
		`${request}: not sent, because the service failed ${failures} times in a row and is left alone until ` +
		`${new Date(until).toISOString()}. Try again after that.`,

	// Problems of answers: clauses for `requestFailed`.
	connectionFailed: (code: string | undefined) => `the connection failed${code ? ` (${code})` : ''}`,
	noAnswerInTime: (limit: number) => `no complete answer within ${limit} ms`,
	redirected: (target: string | undefined) =>
		`the service redirects ${target ? `to ${target}` : 'to an address that cannot be read'}, which is not followed,`,
	foreignNotFound: (contentType: string | undefined) =>
		'404 from something other than the service ' +
		`(no JSON object${contentType === undefined ? '' : `, content-type: ${contentType}`})`,
	compressedTwice: (encoding: string) => `the body is compressed more than once (${encoding})`,
	bodyTooLarge: (maxBytes: number) => `the body is larger than ${maxBytes} bytes`,
	bodyNotUtf8: 'the body is not valid UTF-8',
	bodyNotJson: (contentType: string) => `the body is not JSON (its content-type: ${contentType})`,
	unsuccessful: (refusal: string) => `the service answered 200, but its body says ${refusal}`,
	undocumented: (issues: readonly string[], hasMore: boolean) =>
		`the body is not what the service documents (${issues.join('; ')}${hasMore ? '; and more' : ''})`,
	wrongProduct: (pid: string) => `the answer is about another product, "${pid}",`,
	missingPart: (part: string) => `the answer lacks ${part}, which was requested,`,
};

/** Says what to do, by what went wrong. */
export const HINTS = {
	credentials: 'Check the access token and the wsid.',
	network: 'Check the option baseUrl and the network.',
	timeout: 'Raise the option timeout if the service is known to be slow.',
	redirect: 'Check the option baseUrl: it must be the address that the service answers at.',
	foreign: 'Check the option baseUrl, and whether a gateway in front of the service routes requests to it.',
	'not-json': 'Check the option baseUrl: something other than the service may have answered.',
	'too-large': 'Raise the option maxResponseBytes if such an answer is expected.',
} as const;

function tries(count: number): string {
	return count === 1 ? '1 try' : `${count} tries`;
}
