import { OPERATIONS } from '../contract/index.js';
import type { ReviewsError } from '../errors/index.js';
import { printable } from '../printable.js';
import type { Facts } from './create-error.js';
import type { Connection } from './create-sender.js';
import type { ReviewsRequest } from './reviews-request.js';

/** How far an operation has come. */
export interface Progress {
	attempts: number;
	status: number | undefined;
	last: ReviewsError | undefined;
}

/** What an error of this operation has to tell, as far as the operation has come. */
export function factsOf(
	{ settings, tokens }: Connection,
	request: ReviewsRequest,
	progress: Progress,
): Facts {
	const { method, path } = OPERATIONS[request.operation];
	return {
		operation: request.operation,
		method,
		path,
		url: `${settings.origin}${path}`,
		pids: request.pids,
		attempts: progress.attempts,
		status: progress.status,
		redact: tokens.redact,
		show: (text, maxLength) => printable(text, maxLength, tokens.redact),
	};
}
