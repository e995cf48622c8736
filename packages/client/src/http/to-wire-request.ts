import { OPERATIONS } from '../contract/index.js';
import type { Settings } from '../options/resolve-options.js';
import { VERSION } from '../version.js';
import type { ReviewsRequest } from './reviews-request.js';
import type { WireRequest } from './send-once.js';
import { toConditionalHeaders } from './to-conditional-headers.js';

/**
 * Address, headers and body of a request. Runtimes that control `accept-encoding` or `user-agent` themselves silently
 * ignore ours.
 */
export function toWireRequest(
	settings: Pick<Settings, 'origin'>,
	request: ReviewsRequest,
	token: string | undefined,
): WireRequest {
	const { method, path } = OPERATIONS[request.operation];
	return {
		method,
		url: `${settings.origin}${path}${request.query ? `?${request.query}` : ''}`,
		headers: {
			accept: 'application/json',
			'accept-encoding': 'gzip, br',
			'user-agent': `product-reviews-client/${VERSION}`,
			...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
			...toConditionalHeaders(request.known),
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
		},
		body: request.body === undefined ? undefined : JSON.stringify(request.body),
		isConditional: request.known !== undefined,
	};
}
