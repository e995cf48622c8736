import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createReviewsClient, type Operation, ReviewsError } from 'product-reviews-client';
import { baseUrlFor } from 'product-reviews-client/base-url';
import { ASTRO_VERSION } from '../astro/check-environment.js';
import type { ReviewSite } from '../astro/project.js';
import { describeLacks } from '../astro/supported-versions.js';
import { unlessFailing } from '../base/failures.js';
import { age, ago, count, nameProduct, plainLine, printableJson, size } from '../base/words.js';
import { openExistingFile, sizeOfCache } from '../cache/open-database.js';
import { siteOf } from '../cache/page-store.js';
import { findProduct, readBuiltPages } from '../cache/queries.js';
import { ENVIRONMENT, REPORT_FILE, VERSION } from '../constants.js';
import { checkAddresses, throttleOf } from '../options/connection.js';
import type { ProductReviewsOptions, ProductSource } from '../options/schema.js';
import { placeOfVariables, readEnvironment, readEnvironmentFiles } from '../project/environment.js';
import { findCache, readManifest, realPath } from '../project/manifest.js';
import { openProductList } from '../project/product-list.js';
import { type ReadReport, readReport } from '../project/report.js';
import { createHostedCalls } from '../providers/hosted-reviews.js';
import { hasRatings, isProvider, type SiteConnection } from '../providers/load-provider.js';
import { createProviderCalls } from '../providers/provider-call.js';
import { optionsOfShipped } from '../providers/shipped/index.js';
import { unpack } from '../records/packed.js';
import type { AggregateRating } from '../records/rating.js';
import { adviseOnId, adviseOnNoReviews, adviseOnShipped } from '../reviews/describe-failures.js';
import { explainFailure } from './cache.js';
import { Findings, printDiagnosis, type Trouble, troubleOf } from './findings.js';
import { checkLastBuild, describeOtherAccount, hasServer } from './last-build.js';
import { checkSettings, readSettings, type Setting, type Settings } from './settings.js';
import { loadSite, MODE } from './site.js';
import { type CommandLine, namePath, type Options, onStandardError, rootOf } from './terminal.js';

/** Diagnoses a project, and sets the exit code: 1 if anything is wrong. It changes nothing. */
export async function doctor({ options }: CommandLine): Promise<string[]> {
	const found = new Findings();
	// The configuration and the product list may print, too.
	const settings = await onStandardError(() => examine(found, options));
	const diagnosis = found.diagnosis();
	process.exitCode = diagnosis.problems > 0 ? 1 : 0;
	if (options.json) return [`${printableJson({ version: VERSION, ...diagnosis, settings }, '\t')}\n`];
	return [printDiagnosis(diagnosis)];
}

/** A project, as far as it could be examined, and what its service answered. */
interface Asked {
	readonly site: ReviewSite;
	readonly settings: Settings;
	readonly connection: SiteConnection | undefined;
	readonly cacheFile: string;
	readonly report: ReadReport | undefined;
	readonly list: Awaited<ReturnType<typeof checkList>>;
	readonly cache: ReturnType<typeof checkCache>;
	/** The product that is looked at, and whether it was given with `--product`. */
	readonly pid: string | undefined;
	readonly isGiven: boolean;
	/** The product's rating; `undefined` if it was not sent. */
	readonly service: AggregateRating | undefined;
}

async function examine(found: Findings, given: Options): Promise<readonly Setting[]> {
	const root = rootOf(given);
	const { mode = MODE, product: wanted } = given;
	const { ok, warning, problem } = found.in('Project');
	ok('Node', process.versions.node);
	ok('Astro', describeLacks(ASTRO_VERSION) ?? ASTRO_VERSION);
	let site: ReviewSite;
	try {
		site = await loadSite(given);
	} catch (error) {
		const { reason, ...advice } = troubleOf(error, 'PR_CONFIG_NOT_LOADED');
		problem('Astro config', reason, advice);
		const settings = readSettings({}, readEnvironment(mode, root), readEnvironmentFiles(root, mode));
		checkSettings(found, settings, {}, placeOfVariables(root, root));
		return Object.values(settings);
	}
	const { config, options, project } = site;
	const { envDir } = config.vite;
	const folder = envDir === false ? false : resolve(root, envDir ?? '.');
	const files = folder === false ? [] : readEnvironmentFiles(folder, mode);
	const settings = readSettings(options, project.environment(), files);
	if (config.site) ok('Site address', config.site);
	else {
		warning('Site address', 'Not set, so structured data has the product addresses of the service.', {
			next: 'Set "site" in the Astro configuration.',
		});
	}
	// A server may have a token that is not here.
	const sources = config.adapter ? undefined : fileURLToPath(config.srcDir);
	checkSettings(found, settings, options, placeOfVariables(root, folder), sources);
	const connection = connect(found, site);
	const list = await checkList(found, options.products, wanted);
	const cacheFile = findOwnCache(found, site);
	const reportFile = join(dirname(cacheFile), REPORT_FILE);
	const report = unlessFailing(() => readReport(reportFile, reportFile));
	const manifest = readManifest(cacheFile);
	const otherAccount = describeOtherAccount(manifest, connection);
	const cache = checkCache(found, cacheFile, fileURLToPath(config.outDir), {
		account: connection?.account,
		wanted: wanted ?? list?.first,
		// That of the last build is said of the build.
		isOther: otherAccount !== undefined,
	});
	const pid = wanted ?? list?.first ?? cache?.pid;
	const known = { site, settings, connection, cacheFile, report, list, cache, pid };
	const examined = { ...known, isGiven: wanted !== undefined };
	const service = connection && (await checkService(found, examined, connection));
	const asked = { ...examined, service };
	if (pid !== undefined) checkProduct(found, pid, asked);
	checkLastBuild(found, { ...asked, manifest, otherAccount, pages: cache?.pages });
	checkNewReviews(found, asked);
	checkWebhook(found, options, settings);
	return Object.values(settings);
}

function connect(found: Findings, { project, options }: ReviewSite): SiteConnection | undefined {
	try {
		const connection = project.connection();
		if (!isProvider(connection)) checkAddresses(connection, options);
		return connection;
	} catch (error) {
		const { reason, ...advice } = troubleOf(error, 'PR_NOT_CONFIGURED');
		// A value that is not set is reported with the setting.
		if (advice.code !== 'PR_NOT_CONFIGURED') found.in('Configuration').problem('Service', reason, advice);
		return undefined;
	}
}

/** In milliseconds. */
const PATIENCE = 10_000;

/**
 * Reads the first id of the product list or, if a product is wanted, the list up to this product.
 * @param patience in milliseconds.
 * @returns as much as was read. `hasProduct` is `undefined` if it is unknown whether the list has the wanted one.
 */
export async function checkList(
	found: Findings,
	source: ProductSource | undefined,
	wanted: string | undefined,
	patience = PATIENCE,
) {
	const { ok, problem } = found.in('Configuration');
	if (!source) {
		ok('Product list', 'none: a build fetches what the last one showed in advance');
		return undefined;
	}
	let length: number | undefined;
	let isLate = false;
	const list = openProductList(source, (given) => (length = given));
	const timer = setTimeout(() => {
		isLate = true;
		list.stop();
	}, patience);
	try {
		for await (const pid of list.products) if (wanted === undefined || pid === wanted) break;
	} catch (error) {
		const { reason, ...advice } = troubleOf(error, 'PR_PRODUCT_LIST_UNREADABLE');
		problem('Product list', reason, { next: 'Check the option "products".', ...advice });
		return undefined;
	} finally {
		clearTimeout(timer);
		list.stop();
	}
	const [first] = list.pids;
	if (first === undefined) {
		problem('Product list', `The product list gave no product within ${patience / 1_000} s.`, {
			code: 'PR_PRODUCT_LIST_UNREADABLE',
			next: 'Check the code behind the option "products", such as the catalog that it requests.',
		});
		return undefined;
	}
	const isFound = wanted !== undefined && list.seen.has(wanted);
	const size = length === undefined ? 'of unknown length' : count(length, 'product');
	ok('Product list', `${size}, the first is "${first}"`);
	return { first, read: list.pids.length, hasProduct: isFound || !isLate ? isFound : undefined };
}

/** Finds the cache as all commands do, and says if the next build would use another one. */
function findOwnCache(found: Findings, { config, project }: ReviewSite): string {
	const { warning } = found.in('Cache');
	const next = 'Build once.';
	const configured = project.cacheFile();
	const { file, notice } = findCache(fileURLToPath(config.root), undefined, configured);
	if (notice !== undefined) warning('Place', notice, { next });
	else if (realPath(file) !== realPath(configured)) {
		const text = `The last build has its cache at ${namePath(file)}, but the configuration says ${namePath(configured)}.`;
		warning('Place', text, { next });
	}
	return file;
}

interface CacheUse {
	/** `undefined` if the website ID is not set. */
	readonly account: string | undefined;
	/** The product to read. @default any */
	readonly wanted: string | undefined;
	/** `true` if the last build is known to have had another account. */
	readonly isOther: boolean;
}

function checkCache(found: Findings, file: string, outDir: string, { account, wanted, isOther }: CacheUse) {
	const { ok, warning, problem } = found.in('Cache');
	const name = namePath(file);
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		const facts = database.prepare(FACTS).get({ account: account ?? '' }) as unknown as CacheFacts;
		const { products, others, oldest, newest } = facts;
		ok('File', `${name}, ${size(sizeOfCache(file))}`);
		const times = oldest && newest ? [newest, oldest].map((time) => age(Date.now() - time)) : [];
		const ages = times.length > 0 ? `, fetched ${[...new Set(times)].join(' to ')} ago` : '';
		if (account !== undefined) ok('Products', `${count(products, 'product')}${ages}`);
		if (account !== undefined && products === 0 && others > 0 && !isOther) {
			warning('Account', `It has only ${count(others, 'product')} of another website ID or address.`, {
				next: 'Check the address and the website ID, or build once with the new ones.',
			});
		}
		const pid = wanted ?? facts.pid ?? undefined;
		const isKnown = pid !== undefined && account !== undefined;
		const pages = readBuiltPages(database, siteOf(file, outDir));
		return { ...facts, pid, pages, cached: isKnown ? readCached(database, account, pid) : undefined };
	} catch (error) {
		const { reason, ...advice } = troubleOf(explainFailure(error, file), 'PR_CACHE_UNUSABLE');
		const say = advice.code === 'PR_CACHE_MISSING' ? warning : problem;
		say('File', reason, advice);
		return undefined;
	} finally {
		database?.close();
	}
}

/**
 * Facts about the cached reviews of one account: `marked` ones were not fetched since a change. `others` are of other
 * accounts.
 */
type CacheFacts = Readonly<
	Record<'products' | 'stale' | 'others' | 'marked', number> &
		Record<'oldest' | 'newest', number | null> & { pid: string | null }
>;

const FACTS = `WITH reviews AS (SELECT * FROM products WHERE part = 'reviews' AND account = :account)
	SELECT count(*) AS products, count(*) FILTER (WHERE state = 'stale') AS stale, min(fetched_at) AS oldest,
		max(fetched_at) AS newest, min(pid) AS pid,
		(SELECT count(*) FROM products WHERE part = 'reviews' AND account <> :account) AS others,
		(SELECT count(*) FROM marks JOIN reviews USING (account, pid) WHERE marks.revision > reviews.revision) AS marked
	FROM reviews`;

function readCached(database: DatabaseSync, account: string, pid: string) {
	const row = findProduct(database, pid).find(
		(found) => found.part === 'reviews' && found.account === account,
	);
	if (!row) return undefined;
	const { fetched_at: fetchedAt, state, rating } = row;
	try {
		unpack(row);
		const { count = 0, average = 0 } = JSON.parse(rating ?? '{}') as Partial<AggregateRating>;
		return { fetchedAt, state, count, average, isWhole: row.isIntact };
	} catch {
		return { fetchedAt, state, count: 0, average: 0, isWhole: false };
	}
}

/** An id for which no service has reviews: whether it answers can be seen from that, too. */
const ANY_PRODUCT_ID = 'product-reviews-doctor';

/** In milliseconds: webhooks are refused if their time differs by more than 5 minutes. */
const MAX_SKEW = 300_000;

/** Codes of requests that got no answer. */
const NO_ANSWER: ReadonlySet<string> = new Set([
	'PR_SERVICE_UNREACHABLE',
	'PR_SERVICE_TIMEOUT',
	'PR_PROVIDER_FAILED',
]);

/** Asks each operation once, as a build would, but without trying again. */
async function checkService(
	found: Findings,
	{ site: { options, project }, settings, report, pid: given }: Omit<Asked, 'service'>,
	connection: SiteConnection,
): Promise<AggregateRating | undefined> {
	const { ok, warning, problem } = found.in('Service');
	const pid = given ?? ANY_PRODUCT_ID;
	const name = nameProduct(pid);
	const hosted = isProvider(connection) ? undefined : connection;
	const placeOf = (operation: Operation) =>
		hosted ? plainLine(baseUrlFor(hosted.baseUrl, operation) ?? '', 200) : 'the provider';
	let skew: number | undefined;
	const limits = { timeout: Math.min(options.timeout, PATIENCE), retries: 0 };
	const service = isProvider(connection)
		? createProviderCalls(connection.provider, {
				...limits,
				maxResponseBytes: options.maxResponseBytes,
				env: (name) => project.environment()[name],
			})
		: createHostedCalls(
				createReviewsClient({
					...throttleOf(options),
					...limits,
					baseUrl: connection.baseUrl,
					urlOrigins: connection.urlOrigins,
					wsid: connection.wsid,
					token: connection.token,
					sendTokenForReviews: options.sendTokenForReviews && connection.token !== undefined,
					async fetch(input, init) {
						const askedAt = Date.now();
						const response = await fetch(input, init);
						const sentAt = Date.parse(response.headers.get('date') ?? '');
						// The header has whole seconds, and was written at some time since the request.
						if (!Number.isNaN(sentAt)) skew = sentAt + 500 - (askedAt + Date.now()) / 2;
						return response;
					},
				}),
			);
	const reviews = await ask('Reviews', 'crawlerReviews', async () => {
		const { content } = await service.reviews(pid);
		return content?.record.aggregate;
	});
	const others: Answered[] = [];
	if (hasRatings(connection)) {
		const request = async () => (await service.ratings([pid])).get(pid);
		others.push(await ask('Ratings', 'starRating', request));
	}
	if (isProvider(connection) ? connection.provider.reviewData : connection.token) {
		const request = async () => (await service.reviewData(pid)).content.record.aggregate;
		others.push(await ask('Review data', 'productReviewData', request));
	}
	const { code, reason } = reviews.trouble ?? {};
	if (reason !== undefined && NO_ANSWER.has(code ?? '')) {
		const shipped = isProvider(connection) ? optionsOfShipped(connection.module) : undefined;
		problem('Reachable', reason, { code, ...(shipped && { next: adviseOnShipped(shipped) }) });
		return undefined;
	}
	// Without a token, requests that need one are not sent.
	const isSent = ({ trouble }: Answered) => !hosted || trouble?.code !== 'PR_TOKEN_UNUSABLE';
	const asked = [reviews, ...others];
	const answering = asked.filter((one) => isSent(one) && !NO_ANSWER.has(one.trouble?.code ?? ''));
	const places = [...new Set(answering.map(({ operation }) => placeOf(operation)))];
	const answer = places.length > 1 ? 'respond' : 'responds';
	if (places.length > 0) ok('Reachable', `${places.join(' and ')} ${answer}`);
	const unusable = asked.find((one) => !isSent(one))?.trouble;
	const refused = hosted && others.find(({ status }) => status === 401 || status === 403);
	if (unusable) problem('Token', unusable.reason, { code: unusable.code });
	else if (refused) {
		const { token: own, apiKey } = settings;
		const { origin: from = ENVIRONMENT.token } = (own?.shown === undefined ? apiKey : own) ?? {};
		problem('Token', `The service refuses it with status ${refused.status}.`, {
			code: 'PR_REQUEST_REFUSED',
			next: `Check the token in ${from}, and that it belongs to the website ID.`,
		});
	} else if (hosted) ok('Token', others.some(({ trouble }) => !trouble) ? 'accepted' : 'not tested');
	// Answers that need a token say nothing more if it is refused.
	const told = [reviews, ...(refused ? [] : others)].filter(isSent);
	for (const { check, operation, trouble, count: ratings, ms } of told) {
		if (trouble) {
			const { reason, ...advice } = trouble;
			problem(check, reason, advice);
		} else {
			const rated = ratings === 0 ? 'no rating' : count(ratings, 'rating');
			const product = given === undefined ? '' : ` for ${name}`;
			const place = places.length > 1 ? ` from ${placeOf(operation)}` : '';
			ok(check, `${rated}${product} in ${Math.round(ms)} ms${place}`);
		}
	}
	// Operations with a token do not depend on the website ID.
	const rated = hosted && others.find(({ count }) => count > 0);
	const { products = 0, missing = 0 } = report?.totals ?? {};
	if (!reviews.trouble && reviews.count === 0 && (rated || (products > 0 && missing >= products))) {
		const text = rated
			? `The token finds ${count(rated.count, 'rating')} of ${name}, but the website ID has no reviews of it.`
			: `${hosted ? 'The service' : 'The provider'} has no reviews of any of the ${count(products, 'product')} of the last build.`;
		const { shown, origin } = settings.wsid ?? {};
		const ids = report?.products.map((product) => product.pid) ?? [pid];
		const website = hosted && `the website ID "${shown}" from ${origin}`;
		const advice = hosted ? adviseOnNoReviews(hosted.wsid, ids) : [];
		const check = `Check ${website ?? 'the provider'}, and how ${hosted ? 'the service' : 'it'} writes product IDs.`;
		problem(hosted ? 'Website ID' : 'Provider', text, {
			code: 'PR_NO_REVIEWS',
			next: [check, ...advice].join(' '),
		});
	} else if (hosted && given !== undefined && !reviews.trouble && reviews.count === 0 && products === 0) {
		const advice = [adviseOnId(pid, 'the website ID'), ...adviseOnNoReviews(hosted.wsid, [pid])];
		const text = `The service has no reviews of ${name} for "${plainLine(hosted.wsid, 60)}".`;
		warning('Website ID', text, { next: advice.join(' ') });
	}
	if (skew !== undefined && Math.abs(skew) <= MAX_SKEW) ok('Clock', 'agrees with the one of the service');
	else if (skew !== undefined) {
		const seconds = count(Math.round(Math.abs(skew) / 1_000), 'second');
		const text = `The clock of the service is ${seconds} ${skew > 0 ? 'ahead of' : 'behind'} this machine. Ages are wrong, and webhooks may be refused.`;
		warning('Clock', text, { next: 'Set the clock of this machine by NTP.' });
	}
	return reviews.trouble ? undefined : { count: reviews.count, average: reviews.average };
}

type Answered = Awaited<ReturnType<typeof ask>>;

async function ask(check: string, operation: Operation, request: () => Promise<AggregateRating | undefined>) {
	const startedAt = performance.now();
	let rating: AggregateRating | undefined;
	let trouble: Trouble | undefined;
	let status: number | undefined;
	try {
		rating = await request();
	} catch (error) {
		status = error instanceof ReviewsError ? error.status : undefined;
		trouble = troubleOf(error, 'PR_SERVICE_FAILED');
	}
	const { count = 0, average = 0 } = rating ?? {};
	return { check, operation, trouble, status, count, average, ms: performance.now() - startedAt };
}

const LIST_IT = 'Check the id, and add it to the option "products".';

function checkProduct(found: Findings, pid: string, { site, isGiven, list, report, service, cache }: Asked) {
	const { options } = site;
	const cached = cache?.cached;
	const { ok, warning, problem } = found.in('Product');
	const name = nameProduct(pid);
	if (isGiven && list) {
		if (list.hasProduct) ok('In the list', `${name} is in the product list`);
		else if (list.hasProduct === undefined) {
			ok('In the list', `not among the first ${count(list.read, 'product')}; the rest was not read`);
		} else {
			const text = `${name} is not among the ${count(list.read, 'product')} of the list.`;
			problem('In the list', text, { next: LIST_IT });
		}
	}
	if (service && service.count > 0) {
		if (isGiven) ok('Reviews', `the service has ${count(service.count, 'rating')}`);
	} else if (service && !isGiven) {
		ok('Reviews', `none for ${name}, the first product, at the service`);
	} else if (service) {
		warning('Reviews', `The service has no reviews of ${name}.`, {
			next: [
				adviseOnId(pid, 'whether its reviews are published there'),
				...(options.provider ? [] : adviseOnNoReviews('', [pid])),
			].join(' '),
		});
	}
	const reported = report?.products.find((product) => product.pid === pid);
	const { status, reason = 'unknown', pages = [] } = reported ?? {};
	const hasFailed = status === 'failed' || status === 'unreadable';
	// Where there was nothing to show, no page counts as showing it.
	const isBare = status === 'missing' || (service?.count === 0 && cached?.count === 0);
	if (report && !hasFailed && !isBare) {
		if (pages.length > 0) ok('On pages', `on ${count(pages.length, 'page')} of the last build`);
		else if (!hasServer(site)) {
			problem('On pages', `No page of the last build shows ${name}.`, {
				next: `Place <ProductReviews pid="${pid}" /> on its page, and build.`,
			});
		}
	}
	if (options.display === 'hidden') {
		const text = 'The option "display" is "hidden": visitors see reviews only in the service\'s widget.';
		warning('Display', text, {
			next: 'Set "display" to "visible", or leave it out, unless the site runs the widget.',
		});
	}
	const fetched = cached && ago(Date.now() - cached.fetchedAt);
	if (hasFailed) {
		problem('Last build', `The service failed for ${name}, and nothing is cached: ${reason}`, {
			code: status === 'unreadable' ? 'PR_UNREADABLE_RESPONSE' : 'PR_REVIEWS_UNAVAILABLE',
		});
	} else if (cached && !cached.isWhole) {
		problem('Cached', `The cached reviews of ${name} are damaged.`, { code: 'PR_CACHE_UNUSABLE' });
	} else if (cached?.state === 'stale' || status === 'stale') {
		const since = fetched === undefined ? '' : ` of ${fetched}`;
		const text = `The service failed in the last build, so reviews${since} are shown: ${reason}`;
		warning('Cached', text, { code: 'PR_SERVICE_FAILED', next: 'Build again when the service responds.' });
	} else if (cached) ok('Cached', `${count(cached.count, 'rating')}, fetched ${fetched}`);
	else if (report && service) {
		warning('Cached', `The last build did not fetch ${name}.`, {
			code: 'PR_NOT_CACHED',
			next: list?.hasProduct === false ? LIST_IT : 'Place a component with its id, and build.',
		});
	}
}

/** A stale product is a matter of the next build; a day later, somebody should look. In milliseconds. */
const DAY = 86_400_000;
const HOUR = 3_600_000;

function checkNewReviews(
	found: Findings,
	{ site, settings, connection, cache, report, pid, service }: Asked,
): void {
	const { revalidate, maxAge, staleIfError = DAY } = site.options;
	const hasToken = (settings.token?.shown ?? settings.apiKey?.shown) !== undefined;
	const canRate = connection ? hasRatings(connection) : hasToken;
	const { ok, warning, problem } = found.in('New reviews');
	const rule = revalidate ?? (canRate ? 'ratings' : 'age');
	const limit = age(maxAge ?? (rule === 'ratings' ? 7 * DAY : HOUR));
	const rules = {
		always: 'all products',
		ratings: `products whose ratings changed, and those older than ${limit}`,
		age: `products older than ${limit} (maxAge)`,
	};
	ok('Each build', `fetches ${rules[rule]}`);
	if (cache && cache.stale > 0) {
		const since = Date.now() - (cache.oldest ?? Date.now());
		const reason = report?.products.find((product) => product.reason !== undefined)?.reason;
		const text = `The service failed in the last build: ${count(cache.stale, 'product')} show reviews of up to ${age(since)} ago. ${reason ?? 'unknown'}`;
		const say = since > Math.min(DAY, staleIfError) ? problem : warning;
		say('Stale', text, { code: 'PR_SERVICE_FAILED', next: 'Build again when the service responds.' });
	}
	if (cache && cache.marked > 0) {
		const some = `${count(cache.marked, 'product')} ${cache.marked === 1 ? 'was' : 'were'}`;
		const text = `${some} marked as changed, and not fetched since.`;
		warning('Waiting', text, { next: 'Run "npx astro build", or "npx astro-product-reviews update".' });
	}
	const cached = cache?.cached;
	if (pid === undefined || !service || !cached?.isWhole) return;
	const name = nameProduct(pid);
	if (service.count === cached.count && Math.abs(service.average - cached.average) < 0.005)
		ok('Up to date', `the cache has what the service sends for ${name}`);
	else {
		const text = `The service has ${count(service.count, 'rating')} of ${name}, the cache ${cached.count}, fetched ${ago(Date.now() - cached.fetchedAt)}.`;
		warning('Outdated', text, { next: `Run "npx astro-product-reviews update ${pid}".` });
	}
}

/** Length of a Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes. */
const SECRET_LENGTH = { least: 32, most: 6 + 88 } as const;

/** Shortest secret of a service with signatures of its own. */
const LEAST_TEXT = 16;

function checkWebhook(
	found: Findings,
	{ webhook }: Pick<ProductReviewsOptions, 'webhook'>,
	{ webhookKey, webhookSecret: secret, apiKey }: Settings,
): void {
	const { ok, problem } = found.in('New reviews');
	const code = 'PR_WEBHOOK_SECRET';
	// A service that sends a key in a header sends the API key.
	const key = webhookKey?.shown === undefined && webhook?.keyHeader ? (apiKey ?? webhookKey) : webhookKey;
	if (key?.shown !== undefined) ok('Webhook key', `${key.shown}, from ${key.origin}`);
	else if (secret?.shown !== undefined) {
		const { length = 0, shown, origin } = secret;
		// Two secrets, separated by a space, are there while one replaces the other.
		const isLikely = webhook?.from
			? length >= LEAST_TEXT
			: length >= SECRET_LENGTH.least && length <= 2 * SECRET_LENGTH.most + 1;
		if (isLikely) ok('Webhook', `secret ${shown}, from ${origin}`);
		else {
			const text = `The secret in ${origin} has ${count(length, 'character')}, which no secret has.`;
			const copy = 'Copy it again from the service';
			problem('Webhook', text, {
				code,
				next: webhook?.from ? `${copy}.` : `${copy}: it begins with "whsec_".`,
			});
		}
	} else if (!webhook) ok('Webhook', 'none here: new reviews appear with the next build or update');
	else {
		const variable = webhookKey ? webhookKey.variable : secret?.variable;
		problem('Webhook', `The option "webhook" is set, but ${variable} is not, so every event is rejected.`, {
			code,
			next: `Set ${variable} where the site runs. The service shows it.`,
		});
	}
}
