import { plainText } from './plain-text.js';

/** Content of a log line. */
export interface LoggedRequest {
	readonly method: string;
	/** Raw path without the query. */
	readonly path: string;
	readonly pids: readonly string[];
	/** Absent if no response was sent. */
	readonly status?: number;
	/** Bytes sent, including headers. */
	readonly bytes: number;
	/** Milliseconds. */
	readonly duration: number;
	/** Fault that was applied. */
	readonly fault?: string;
}

/**
 * Formats one line of the request log: `GET /api/llmRvwHTML pid=p-1 200 13.2 KB 4 ms`.
 *
 * @param secrets Texts to mask, in case a caller puts one into a URL.
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
