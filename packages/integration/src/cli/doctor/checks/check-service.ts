import { count, nameProduct } from '../../../text/words.js';
import { type Asked, type Facts, type Finding, findingsOf, type ServiceFacts } from '../facts.js';

const { ok, warning, problem } = findingsOf('Service');

/** Webhooks are refused if their time differs by more than this, in milliseconds: 5 minutes. */
const MOST_SKEW = 300_000;

/** Codes that mean that no answer of the service came at all. */
const NO_ANSWER: ReadonlySet<string> = new Set(['PR_SERVICE_UNREACHABLE', 'PR_SERVICE_TIMEOUT']);

/** Whether the service can be reached, accepts the token, and answers each operation. */
export function checkService(facts: Facts): Finding[] {
	const { service } = facts;
	if (!service) return [];
	const { crawlerReviews, starRating, productReviewData } = service.operations;
	const reached = checkReach(service);
	const token = checkToken(facts, starRating, productReviewData);
	if (reached.state === 'problem') return [reached];
	// Answers that need a token say nothing more if it is refused.
	const others =
		token.state === 'problem'
			? []
			: ([
					['Ratings', starRating],
					['Review data', productReviewData],
				] as const);
	return [
		reached,
		token,
		checkAnswer('Reviews', crawlerReviews, facts),
		...others.flatMap(([check, asked]) =>
			asked.state === 'skipped' ? [] : [checkAnswer(check, asked, facts)],
		),
		...checkWebsite(facts, service),
		...checkClock(service),
	];
}

function checkReach({ origin, operations }: ServiceFacts): Finding {
	const { crawlerReviews } = operations;
	if (crawlerReviews.state === 'failed' && NO_ANSWER.has(crawlerReviews.trouble.code)) {
		return problem('Reachable', crawlerReviews.trouble.reason, {
			code: crawlerReviews.trouble.code,
			next: `Check the address ${origin}, and the network between it and this machine.`,
		});
	}
	return ok('Reachable', `${origin} answers`);
}

function checkToken({ settings }: Facts, ...asked: readonly Asked[]): Finding {
	const refused = asked.find((answer) => answer.state === 'failed' && isRefusal(answer.status));
	if (refused?.state === 'failed') {
		const origin = settings.find(({ id }) => id === 'token')?.origin ?? 'REVIEWS_TOKEN';
		return problem('Token', `The service refuses it with status ${refused.status}.`, {
			code: 'PR_REQUEST_REFUSED',
			next: `Check the token in ${origin}, and that it belongs to the website id.`,
		});
	}
	const isAccepted = asked.some(({ state }) => state === 'answered');
	return ok('Token', isAccepted ? 'accepted' : 'not tested');
}

function isRefusal(status: number | undefined): boolean {
	return status === 401 || status === 403;
}

function checkAnswer(check: string, asked: Asked, { product }: Facts): Finding {
	const of = product.pid === undefined ? '' : ` for ${nameProduct(product.pid)}`;
	if (asked.state === 'failed') {
		return problem(check, asked.trouble.reason, {
			code: asked.trouble.code,
			next: asked.trouble.next ?? NEXT[asked.trouble.code] ?? 'Look up the code in the documentation.',
		});
	}
	if (asked.state === 'skipped') return ok(check, 'not tested');
	const found = asked.count === 0 ? 'no rating' : count(asked.count, 'rating');
	return ok(check, `${found}${of} in ${Math.round(asked.ms)} ms`);
}

const NEXT: Readonly<Record<string, string>> = {
	PR_REQUEST_REFUSED: 'Check the website id and the token.',
	PR_SERVICE_ERROR: 'Try again later. If it stays, tell the service.',
	PR_RATE_LIMITED: 'Set requestsPerSecond, or lower concurrency.',
	PR_FOREIGN_ANSWER: 'Check REVIEWS_BASE_URL: something other than the service answers there.',
	PR_UNREADABLE_ANSWER: 'Check REVIEWS_BASE_URL, and look for a new version of astro-product-reviews.',
};

/** The operations with a token do not depend on the website id; the reviews do. */
function checkWebsite({ settings, build, product }: Facts, { operations }: ServiceFacts): Finding[] {
	const { crawlerReviews, starRating, productReviewData } = operations;
	if (crawlerReviews.state !== 'answered' || crawlerReviews.count > 0) return [];
	const wsid = settings.find(({ id }) => id === 'wsid');
	const next = `Check the website id "${wsid?.shown}" from ${wsid?.origin}, and how the service writes product ids.`;
	const code = 'PR_NO_REVIEWS';
	const rated = [starRating, productReviewData].find(
		(asked) => asked.state === 'answered' && asked.count > 0,
	);
	if (rated?.state === 'answered') {
		const text = `The token finds ${count(rated.count, 'rating')} of ${nameProduct(product.pid ?? '')}, but the website id has no reviews of it.`;
		return [problem('Website id', text, { next, code })];
	}
	const { products = 0, missing = 0 } = build.report?.totals ?? {};
	if (products === 0 || missing < products) return [];
	const text = `The service has no reviews of any of the ${count(products, 'product')} of the last build.`;
	return [problem('Website id', text, { next, code })];
}

function checkClock({ skew }: ServiceFacts): Finding[] {
	if (skew === undefined) return [];
	const seconds = Math.round(Math.abs(skew) / 1_000);
	if (Math.abs(skew) <= MOST_SKEW) return [ok('Clock', 'agrees with the one of the service')];
	const text = `The clock of the service is ${count(seconds, 'second')} ${skew > 0 ? 'ahead of' : 'behind'} this machine.`;
	return [
		warning('Clock', `${text} Ages are wrong, and webhooks may be refused.`, {
			next: 'Set the clock of this machine by NTP.',
		}),
	];
}
