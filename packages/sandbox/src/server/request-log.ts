import { plainText } from './plain-text.js';

/** What a log line tells. */
export interface LoggedRequest {
	readonly method: string;
	/** Path as sent; the query is left out. */
	readonly path: string;
	readonly pids: readonly string[];
	/** Absent where no answer was sent. */
	readonly status?: number;
	/** Bytes sent, headers included. */
	readonly bytes: number;
	/** Milliseconds. */
	readonly duration: number;
	/** Name of the fault that was put on it. */
	readonly fault?: string;
}

/**
 * Writes one line of the request log: `GET /api/llmRvwHTML pid=p-1 200 13.2 KB 4 ms`.
 *
 * @param secrets Texts that never show, should a caller put one into an address.
 */
export function requestLogLine(request: LoggedRequest, secrets: readonly string[]): string {
	const { method, path, pids, status, bytes, duration, fault } = request;
	const parts = [
		method,
		path,
		pids.length === 1 ? `pid=${pids[0]}` : pids.length > 1 ? `pids=${pids.length}` : '',
		status === undefined ? 'no answer' : String(status),
		sizeText(bytes),
		`${Math.round(duration)} ms`,
		fault ? `fault=${fault}` : '',
	];
	return parts
		.map((part) => plainText(withoutSecrets(part, secrets)))
		.filter((part) => part !== '')
		.join(' ');
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
	return secrets.reduce(
		(result, secret) => (secret === '' ? result : result.replaceAll(secret, '***')),
		text,
	);
}

function sizeText(bytes: number): string {
	if (bytes < 1_000) return `${bytes} B`;
	return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
