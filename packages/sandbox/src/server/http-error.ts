/** Ends a request with a status and a message for the caller. */
export class HttpError extends Error {
	override readonly name = 'HttpError';
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
		super(message);
		this.status = status;
		this.headers = headers;
	}
}
