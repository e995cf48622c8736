import { createReviewsClient, ReviewsError } from 'product-reviews-client';
import { type Connection, toClientOptions } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { createDropCounter } from '../parse/field-reader.js';
import type { AggregateRating } from '../parse/rating.js';
import { readPayload } from '../parse/read-payload.js';
import { readReviewData } from '../parse/read-review-data.js';
import { describeDropped } from '../report/log.js';
import type { Totals } from '../report/report.js';
import { count, nameProduct } from '../text/words.js';
import { type Findings, type Trouble, troubleOf } from './findings.js';

/** An id for which no service has reviews: whether it answers can be seen from that, too. */
const ANY_PRODUCT = 'product-reviews-doctor';

/** Longest time for one answer, in milliseconds. */
const PATIENCE = 10_000;

/** Webhooks are refused if their time differs by more than this, in milliseconds: 5 minutes. */
const MOST_SKEW = 300_000;

/** Codes that mean that no answer of the service came at all. */
const NO_ANSWER: ReadonlySet<string> = new Set(['PR_SERVICE_UNREACHABLE', 'PR_SERVICE_TIMEOUT']);

const NEXT: Readonly<Record<string, string>> = {
	PR_REQUEST_REFUSED: 'Check the website id and the token.',
	PR_SERVICE_ERROR: 'Try again later. If it stays, tell the service.',
	PR_RATE_LIMITED: 'Set requestsPerSecond, or lower concurrency.',
	PR_FOREIGN_ANSWER: 'Check REVIEWS_BASE_URL: something other than the service answers there.',
	PR_UNREADABLE_ANSWER: 'Check REVIEWS_BASE_URL, and look for a new version of astro-product-reviews.',
};

/** The service's reviews of a product. */
export interface FoundService {
	/** `undefined` if it did not send them. */
	readonly reviews: { readonly count: number; readonly average: number } | undefined;
	/** Parts of them that cannot be used, for people; `undefined` if there are none. */
	readonly dropped: string | undefined;
}

/** What to ask the service about, and how. */
interface Question {
	/** `undefined` if no product is known. */
	readonly pid: string | undefined;
	readonly connection: Connection;
	readonly options: ProductReviewsOptions;
	readonly settings: readonly {
		readonly id: string;
		readonly shown?: string | undefined;
		readonly origin?: string | undefined;
	}[];
	/** Of the last build. */
	readonly totals: Totals | undefined;
}

type Answer = { readonly ms: number; readonly count: number; readonly average: number };
type Asked = Answer | { readonly trouble: Trouble; readonly status: number | undefined };

/**
 * Asks each operation once for a product, as a build would, but without trying again. Checks whether the service can be
 * reached, accepts the token, and answers.
 */
export async function checkService(found: Findings, question: Question): Promise<FoundService> {
	const { pid = ANY_PRODUCT, connection, options, settings, totals } = question;
	const { ok, warning, problem } = found.in('Service');
	const name = nameProduct(pid);
	const clock = watchClock();
	const client = createReviewsClient({
		...toClientOptions(connection, options),
		token: connection.token,
		sendTokenForReviews: options.sendTokenForReviews && connection.token !== undefined,
		timeout: Math.min(options.timeout, PATIENCE),
		retries: 0,
		fetch: clock.fetch,
	});
	const { drop, dropped } = createDropCounter();
	const reviews = await ask(async () => readPayload(await client.getCrawlerReviews(pid), drop).aggregate);
	const askWithToken = (request: Ask) => (connection.token === undefined ? undefined : ask(request));
	const ratings = await askWithToken(async () => (await client.getStarRatings([pid])).get(pid));
	const data = await askWithToken(
		async () => readReviewData(await client.getProductReviewData(pid)).aggregate,
	);
	const { origin } = new URL(connection.baseUrl);
	if ('trouble' in reviews && NO_ANSWER.has(reviews.trouble.code)) {
		const { code, reason } = reviews.trouble;
		const next = `Check the address ${origin}, and the network between it and this machine.`;
		problem('Reachable', reason, { code, next });
		return { reviews: undefined, dropped: undefined };
	}
	ok('Reachable', `${origin} answers`);
	const withToken = [ratings, data].filter((asked) => asked !== undefined);
	const refused = withToken.find(
		(asked) => 'trouble' in asked && (asked.status === 401 || asked.status === 403),
	);
	if (refused && 'trouble' in refused) {
		const from = settings.find(({ id }) => id === 'token')?.origin ?? 'REVIEWS_TOKEN';
		problem('Token', `The service refuses it with status ${refused.status}.`, {
			code: 'PR_REQUEST_REFUSED',
			next: `Check the token in ${from}, and that it belongs to the website id.`,
		});
	} else ok('Token', withToken.some((asked) => 'count' in asked) ? 'accepted' : 'not tested');
	// Answers that need a token say nothing more if it is refused.
	const others = refused
		? []
		: ([
				['Ratings', ratings],
				['Review data', data],
			] as const);
	for (const [check, asked] of [['Reviews', reviews] as const, ...others]) {
		if (!asked) continue;
		if ('trouble' in asked) {
			const { code, reason, next = NEXT[code] ?? 'Look up the code in the documentation.' } = asked.trouble;
			problem(check, reason, { code, next });
		} else {
			const rated = asked.count === 0 ? 'no rating' : count(asked.count, 'rating');
			const of = question.pid === undefined ? '' : ` for ${name}`;
			ok(check, `${rated}${of} in ${Math.round(asked.ms)} ms`);
		}
	}
	// The operations with a token do not depend on the website id; the reviews do.
	if ('count' in reviews && reviews.count === 0) {
		const wsid = settings.find(({ id }) => id === 'wsid');
		const next = `Check the website id "${wsid?.shown}" from ${wsid?.origin}, and how the service writes product ids.`;
		const rated = withToken.find((asked) => 'count' in asked && asked.count > 0);
		const { products = 0, missing = 0 } = totals ?? {};
		const text =
			rated && 'count' in rated
				? `The token finds ${count(rated.count, 'rating')} of ${name}, but the website id has no reviews of it.`
				: `The service has no reviews of any of the ${count(products, 'product')} of the last build.`;
		if (rated || (products > 0 && missing === products))
			problem('Website id', text, { next, code: 'PR_NO_REVIEWS' });
	}
	const skew = clock.skew();
	if (skew !== undefined && Math.abs(skew) <= MOST_SKEW) ok('Clock', 'agrees with the one of the service');
	else if (skew !== undefined) {
		const seconds = count(Math.round(Math.abs(skew) / 1_000), 'second');
		const text = `The clock of the service is ${seconds} ${skew > 0 ? 'ahead of' : 'behind'} this machine. Ages are wrong, and webhooks may be refused.`;
		warning('Clock', text, { next: 'Set the clock of this machine by NTP.' });
	}
	return {
		reviews: 'count' in reviews ? reviews : undefined,
		dropped: Object.keys(dropped).length > 0 ? describeDropped([{ pid, parts: dropped }]) : undefined,
	};
}

type Ask = () => Promise<AggregateRating | undefined>;

async function ask(request: Ask): Promise<Asked> {
	const startedAt = performance.now();
	try {
		const { count = 0, average = 0 } = (await request()) ?? {};
		return { ms: performance.now() - startedAt, count, average };
	} catch (error) {
		const status = error instanceof ReviewsError ? error.status : undefined;
		return { trouble: troubleOf(error, 'PR_SERVICE_FAILED'), status };
	}
}

/** Compares the header `Date` of answers with the clock of this machine. */
function watchClock(): { readonly fetch: typeof fetch; readonly skew: () => number | undefined } {
	let skew: number | undefined;
	return {
		skew: () => skew,
		async fetch(input, init) {
			const askedAt = Date.now();
			const response = await fetch(input, init);
			const sentAt = Date.parse(response.headers.get('date') ?? '');
			// The header has whole seconds, and was written at some time since the request.
			if (!Number.isNaN(sentAt)) skew = sentAt + 500 - (askedAt + Date.now()) / 2;
			return response;
		},
	};
}
