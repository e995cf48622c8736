import { age, ago, count, nameProduct } from '../../../text/words.js';
import { type Facts, type Finding, findingsOf, type Setting } from '../facts.js';

const { ok, warning, problem } = findingsOf('New reviews');

/** Files may be written a little before what a build fetched last, in milliseconds. */
const SLACK = 5_000;

/** A stale product is a matter of the next build; a day later, somebody should look. In milliseconds. */
const DAY = 86_400_000;

/** How long a change may wait for a build before something is wrong, in milliseconds: an hour. */
const WAIT = 3_600_000;

/** Length of a Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes. */
const SECRET_LENGTH = { least: 32, most: 6 + 88 } as const;

/** Why pages may show old reviews. */
export function checkNewReviews(facts: Facts): Finding[] {
	if (!facts.site) return [];
	return [
		checkMaxAge(facts),
		...checkOutdated(facts),
		...checkStale(facts),
		...checkOutputAge(facts),
		...checkMarks(facts),
		...checkSecrets(facts),
		...checkReceiver(facts),
	];
}

function checkMaxAge({ site, settings }: Facts): Finding {
	const hasToken = settings.some(({ id, shown }) => id === 'token' && shown !== undefined);
	const { revalidate = hasToken ? 'ratings' : 'age', maxAge } = site?.options ?? {};
	const limit = age(maxAge ?? (revalidate === 'ratings' ? 7 * DAY : WAIT));
	const rules = {
		always: 'all products',
		ratings: `products whose ratings changed, and those older than ${limit}`,
		age: `products older than ${limit} (maxAge)`,
	};
	return ok('Each build', `fetches ${rules[revalidate]}`);
}

/** Compares what the service sends now with what is stored. */
function checkOutdated({ service, product, now }: Facts): Finding[] {
	const asked = service?.operations.crawlerReviews;
	const { stored, pid = '' } = product;
	if (asked?.state !== 'answered' || !stored?.isWhole) return [];
	const isSame = asked.count === stored.count && Math.abs(asked.average - stored.average) < 0.005;
	if (isSame) return [ok('Up to date', `the store has what the service sends for ${nameProduct(pid)}`)];
	const text = `The service has ${count(asked.count, 'rating')} of ${nameProduct(pid)}, the store ${stored.count}, fetched ${ago(now - stored.fetchedAt)}.`;
	const how = 'publish';
	const then = how === 'publish' ? '' : ', and build';
	return [warning('Outdated', text, { next: `Run "npx astro-product-reviews ${how} ${pid}"${then}.` })];
}

function checkStale({ store, build, site, now }: Facts): Finding[] {
	if (store.state !== 'open' || store.stale === 0) return [];
	const since = store.oldest === undefined ? 0 : now - store.oldest;
	const reason = build.report?.failure ?? 'unknown';
	const text = `The service failed in the last build: ${count(store.stale, 'product')} show reviews of up to ${age(since)} ago. ${reason}`;
	const next = 'Build again when the service answers.';
	const code = 'PR_SERVICE_FAILED';
	const isLong = since > Math.min(DAY, site?.options.staleIfError ?? DAY);
	return [isLong ? problem('Stale', text, { code, next }) : warning('Stale', text, { code, next })];
}

function checkOutputAge({ store, build }: Facts): Finding[] {
	const { report, newestFile, outDir } = build;
	if (!report || newestFile === undefined) return [];
	if (newestFile < report.builtAt - report.ms - SLACK) {
		return [
			warning('Output', `The pages in "${outDir}" are older than the last build.`, {
				next: 'Build again, or deploy what that build wrote.',
			}),
		];
	}
	const newest = store.state === 'open' ? store.newest : undefined;
	if (newest === undefined || newest <= Math.max(report.builtAt, newestFile) + SLACK) return [];
	return [
		warning('Output', `The store has newer reviews than the pages in "${outDir}".`, {
			next: 'Run "npx astro build", and deploy what it writes.',
		}),
	];
}

function checkMarks({ store, now }: Facts): Finding[] {
	if (store.state !== 'open' || !store.marks) return [];
	const { products, areAll, oldest } = store.marks;
	const what = areAll
		? 'All products were'
		: `${count(products, 'product')} ${products === 1 ? 'was' : 'were'}`;
	const text = `${what} marked as changed ${ago(now - oldest)}, and not fetched since.`;
	return [
		warning('Waiting', text, { next: 'Run "npx astro build", or "npx astro-product-reviews update".' }),
	];
}

function checkSecrets({ site, settings }: Facts): Finding[] {
	const webhook = site?.options.webhook;
	const of = (id: Setting['id']) => settings.find((setting) => setting.id === id);
	const key = of('webhookKey');
	if (webhook?.keyHeader && key?.shown !== undefined)
		return [ok('Webhook key', `${key.shown}, from ${key.origin}`)];
	const secret = of('webhookSecret');
	if (secret?.shown === undefined) {
		const variable = webhook?.keyHeader ? key?.variable : secret?.variable;
		if (!webhook) {
			return [ok('Webhook', 'none here: new reviews appear with the next build or update')];
		}
		return [
			problem('Webhook', `The option "webhook" is set, but ${variable} is not, so every event is rejected.`, {
				code: 'PR_WEBHOOK_SECRET',
				next: `Set ${variable} where the site runs. The service shows it.`,
			}),
		];
	}
	const { length = 0, shown, origin } = secret;
	// Two secrets, separated by a space, are there while one replaces the other.
	if (length < SECRET_LENGTH.least || length > 2 * SECRET_LENGTH.most + 1) {
		return [
			problem('Webhook', `The secret in ${origin} has ${count(length, 'character')}, which no secret has.`, {
				code: 'PR_WEBHOOK_SECRET',
				next: 'Copy it again from the service: it begins with "whsec_".',
			}),
		];
	}
	return [ok('Webhook', `secret ${shown}, from ${origin}`)];
}

function checkReceiver({ receiver, now }: Facts): Finding[] {
	const { waiting, trouble } = receiver;
	if (trouble) {
		return [
			problem('Receiver', `Its file of waiting changes cannot be read: ${trouble.reason}.`, {
				code: trouble.code,
				next: 'Move the file away, and build the whole site once.',
			}),
		];
	}
	if (!waiting) return [];
	const text = `${count(waiting.products, 'change')} received ${ago(now - waiting.oldest)} wait for a rebuild.`;
	if (now - waiting.oldest <= WAIT) return [ok('Receiver', text)];
	return [
		problem('Receiver', text, {
			code: 'PR_REBUILD_FAILED',
			next: 'Look at the log of product-reviews-webhook: it may have ended, or its command fails.',
		}),
	];
}
