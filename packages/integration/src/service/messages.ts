import type { ReviewsClientOptions } from 'product-reviews-client';
import type { ErrorCode } from '../errors/catalogue.js';
import type { FailureKind, Refusal } from '../errors.js';
import type { RequestFacts } from '../outcomes/outcomes.js';
import type { Resource } from '../store/review-store.js';
import type { Fetched, PieceTask, Ratings } from './review-service.js';

/** What the thread starts with. It does not contain the token, which the thread requests when needed. */
export interface ThreadData {
	readonly client: Omit<ReviewsClientOptions, 'token' | 'fetch' | 'now' | 'sleep' | 'random' | 'onRequest'>;
	readonly hasToken: boolean;
}

/** To the thread. */
export type Command =
	| {
			readonly type: 'fetch';
			readonly id: number;
			readonly resource: Resource;
			readonly pid: string;
			readonly validators: string | undefined;
	  }
	| { readonly type: 'fetch-ratings'; readonly id: number; readonly pids: readonly string[] }
	| { readonly type: 'prioritize'; readonly resource: Resource; readonly pid: string }
	| { readonly type: 'finish'; readonly task: PieceTask }
	| { readonly type: 'token'; readonly token: string }
	| { readonly type: 'no-token'; readonly message: string };

/** From the thread. */
export type Report =
	| { readonly type: 'fetched'; readonly id: number; readonly fetched: Fetched }
	| { readonly type: 'ratings'; readonly id: number; readonly ratings: Ratings }
	| {
			readonly type: 'failed';
			readonly id: number;
			readonly reason: string;
			readonly kind: FailureKind;
			readonly code: ErrorCode;
			readonly refusal: Refusal | undefined;
	  }
	| { readonly type: 'request'; readonly facts: RequestFacts }
	| { readonly type: 'token-wanted' };
