/** What a route answers, before compression, conditional requests and faults. */
export interface Answer {
	readonly status: number;
	/** Lower-case names. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** Writes answers. */
export const answer = {
	/** A value as JSON. */
	json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
		return {
			status,
			headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
			body: Buffer.from(JSON.stringify(value)),
		};
	},

	/** A refusal: `success` and `status` say so in the body too, since the operations carry either. */
	error(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
		return answer.json(status, { success: false, status, message }, headers);
	},

	html(page: string, headers: Readonly<Record<string, string>> = {}): Answer {
		return {
			status: 200,
			headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
			body: Buffer.from(page),
		};
	},

	/** Nothing but a status and headers. */
	empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
		return { status, headers, body: Buffer.alloc(0) };
	},
};
