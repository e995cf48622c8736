/** Responses of a receiver. They reveal no more than the sender needs. */
export const answers = {
	accepted: () => json(202, { status: 'accepted' }),
	/** The event was accepted before. */
	replayed: () => json(202, { status: 'already accepted' }),
	notPost: () => json(405, { error: 'Send events with POST.' }, { allow: 'POST' }),
	tooLarge: (mostBytes: number) => json(413, { error: `The body is larger than ${mostBytes} bytes.` }),
	notJson: () => json(415, { error: 'Send events as application/json.' }),
	missingHeader: (names: readonly string[]) => json(400, { error: `Missing header: ${names.join(', ')}.` }),
	unreadable: () => json(400, { error: 'The body is not valid JSON.' }),
	notGenuine: () => json(401, { error: 'The request could not be verified.' }),
	notRecorded: () =>
		json(503, { error: 'The change could not be recorded. Send it again.' }, { 'retry-after': '30' }),
	/** The change is recorded, but another receiver does not have it. */
	notForwarded: () =>
		json(503, { error: 'The event could not be passed on. Send it again.' }, { 'retry-after': '30' }),
};

/** A response to the sender, independent of the server. */
export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	/** JSON. */
	readonly body: string;
}

function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
	const all = { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers };
	return { status, headers: all, body: JSON.stringify(body) };
}
