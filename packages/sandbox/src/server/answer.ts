/** Response of a route, before compression, conditional requests and faults. */
export interface Answer {
	readonly status: number;
	/** Names are in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** Creates responses. */
export const answer = {
	/** A JSON response. */
	json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
		return {
			status,
			headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
			body: Buffer.from(JSON.stringify(value)),
		};
	},

	/** An error. The body has both `success` and `status`, because operations use one or the other. */
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

	/** A response without a body. */
	empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
		return { status, headers, body: Buffer.alloc(0) };
	},
};
