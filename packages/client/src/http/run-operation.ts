import { backoffDelay } from './backoff-delay.js';
import type { ClientContext } from './client-context.js';
import { createDeadlineError, createError, createPausedError } from './create-error.js';
import { factsOf, type Progress } from './facts-of.js';
import { retryRule } from './retry-rule.js';
import type { ReadAnswer, ReviewsRequest } from './reviews-request.js';
import { tryOnce } from './try-once.js';
import { withTimeLimit } from './with-time-limit.js';

/** Runs one operation: tries, waits and retries until there is an answer, a final failure, or no time left. */
export async function runOperation<Answer>(
	context: ClientContext,
	request: ReviewsRequest,
	read: ReadAnswer<Answer>,
): Promise<Answer | 'unchanged' | undefined> {
	const progress: Progress = { attempts: 0, status: undefined, last: undefined };
	const { deadline } = context.settings;
	const reason = () => createDeadlineError(deadline, factsOf(context, request, progress), progress.last);
	return await withTimeLimit({ signal: request.signal, milliseconds: deadline, reason }, (signal) =>
		tryUntilDone(context, request, read, progress, signal),
	);
}

async function tryUntilDone<Answer>(
	context: ClientContext,
	request: ReviewsRequest,
	read: ReadAnswer<Answer>,
	progress: Progress,
	signal: AbortSignal,
): Promise<Answer | 'unchanged' | undefined> {
	const { settings, tokens, pacer } = context;
	const { gate, budget } = pacer;
	const deadlineAt = settings.monotonicNow() + settings.deadline;
	let retries = 0;
	let spent = 0;
	let renewed = false;
	let notBefore = Number.NEGATIVE_INFINITY;
	for (;;) {
		const token = request.authorize ? await tokens.current() : undefined;
		const pass = await gate.enter(signal, notBefore);
		const paused = (milliseconds: number) => {
			const until = settings.now() + milliseconds;
			return createPausedError(until, factsOf(context, request, progress), progress.last);
		};
		if (pass.stoppedFor !== undefined) throw paused(pass.stoppedFor);

		const result = await tryOnce(context, request, token, read, progress, signal).finally(pass.leave);
		const { failure } = result;
		if (failure === undefined) {
			budget.giveBack(progress.attempts === 1 ? FIRST_TRY_REWARD : spent);
			return result.answer;
		}

		const rule = retryRule(failure);
		const pause = rule?.pause ?? 0;
		if (pause > settings.maxRetryAfter) throw paused(pause);
		if (token !== undefined && !renewed && result.status === UNAUTHORIZED) {
			renewed = true;
			if (await tokens.renew(token)) continue;
		}
		if (!rule || retries >= settings.retries) throw progress.last;
		const wait = Math.max(backoffDelay(retries, rule.base, settings.random), pause);
		notBefore = settings.monotonicNow() + wait;
		if (notBefore >= deadlineAt) {
			throw createDeadlineError(settings.deadline, factsOf(context, request, progress), progress.last);
		}
		if (!budget.take(rule.cost)) {
			throw createError(failure, factsOf(context, request, progress), BUDGET_NOTE);
		}
		retries += 1;
		spent = rule.cost;
	}
}

const UNAUTHORIZED = 401;
const FIRST_TRY_REWARD = 1;
const BUDGET_NOTE =
	'It was not tried again: too many requests of this client failed, and its budget of retries is empty.';
