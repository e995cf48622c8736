import { OPERATIONS } from '../contract/index.js';
import type { ReviewsError } from '../errors/index.js';
import { printable } from '../printable.js';
import type { ClientContext } from './client-context.js';
import type { Facts } from './create-error.js';
import type { ReviewsRequest } from './reviews-request.js';

/** The progress of an operation. */
export interface Progress {
	attempts: number;
	status: number | undefined;
	last: ReviewsError | undefined;
}

const NOT_SENT: Progress = { attempts: 0, status: undefined, last: undefined };

/** What an error of this operation says at this point. @param progress @default not sent yet */
export function factsOf(
	{ settings, tokens }: Pick<ClientContext, 'settings' | 'tokens'>,
	request: ReviewsRequest,
	progress: Progress = NOT_SENT,
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
