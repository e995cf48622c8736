import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ASTRO_VERSION } from '../astro/check-environment.js';
import type { ReviewSite } from '../astro/project.js';
import { describeLacks, isOlder } from '../astro/supported-versions.js';
import { ENVIRONMENT, REPORT_FILE } from '../constants.js';
import { type Connection, checkAddress } from '../options/connection.js';
import type { ProductReviewsOptions, ProductSource } from '../options/schema.js';
import { fileNames } from '../pages/page.js';
import { type BuildReport, type ProductReport, readReport } from '../report/report.js';
import { openProductList } from '../session/product-list.js';
import { type EnvironmentFile, readEnvironment, readEnvironmentFiles } from '../session/trust.js';
import { age, ago, amount, count, nameProduct, plainLine, printableJson } from '../text/words.js';
import { openOutput } from '../update/output.js';
import { VERSION } from '../version.js';
import { rootOf } from './cache-file.js';
import { type CachedProduct, checkCache, type FoundCache } from './doctor-cache.js';
import { checkService, type FoundService } from './doctor-service.js';
import { Findings, type Group, printDiagnosis, troubleOf } from './findings.js';
import type { CommandLine, Options } from './options.js';
import { loadSite, MODE } from './site.js';
import { onStandardError } from './terminal.js';

/** Diagnoses a project, and sets the exit code: 1 if anything is wrong. It changes nothing. */
export async function doctor({ options }: CommandLine): Promise<string[]> {
	const found = new Findings();
	// The configuration and the product list may print, too.
	const settings = await onStandardError(() => examine(found, options));
	const diagnosis = found.diagnosis();
	process.exitCode = diagnosis.problems > 0 ? 1 : 0;
	if (options.json) return [`${printableJson({ version: VERSION, ...diagnosis, settings }, '\t')}\n`];
	const { isTTY } = process.stdout;
	const hasColour = isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
	return [printDiagnosis(diagnosis, hasColour)];
}

async function examine(found: Findings, given: Options): Promise<readonly Setting[]> {
	const root = rootOf(given);
	const { mode = MODE, product: pid } = given;
	const project = found.in('Project');
	project.ok('Node', process.versions.node);
	project.ok('Astro', describeLacks(ASTRO_VERSION) ?? ASTRO_VERSION);
	let site: ReviewSite;
	try {
		site = await loadSite(given);
	} catch (error) {
		const {
			reason,
			next = 'Fix what the message names, and run doctor again.',
			code,
		} = troubleOf(error, 'PR_CONFIG_NOT_LOADED');
		project.problem('Astro config', reason, { next, code });
		const settings = readSettings({}, readEnvironment(mode, root), readEnvironmentFiles(root, mode));
		checkSettings(found, settings, undefined);
		return settings;
	}
	const { config, options } = site;
	const { envDir } = config.vite;
	const files = envDir === false ? [] : readEnvironmentFiles(resolve(root, envDir ?? '.'), mode);
	const settings = readSettings(options, site.project.environment(), files);
	checkProject(found, config);
	checkSettings(found, settings, options);
	const connection = connect(found, site);
	const list = await checkList(found, options.products, pid);
	const storeFile = site.project.storeFile();
	const report = reportBeside(storeFile);
	const cache = checkCache(found, storeFile, connection?.account, pid ?? list?.first);
	const product = pid ?? list?.first ?? cache?.pid;
	const cached = cache?.cached;
	const service =
		connection &&
		(await checkService(found, { pid: product, connection, options, settings, totals: report?.totals }));
	if (product !== undefined) {
		const isGiven = pid !== undefined;
		checkProduct(found, { pid: product, isGiven, list, report, options, service, cached });
	}
	const output = checkLastBuild(found, { config, storeFile, root, report, hasCache: cache !== undefined });
	checkNewReviews(found, { options, settings, cache, report, output });
	if (product !== undefined) checkOutdated(found, product, cached, service);
	checkSecrets(found, options, settings);
	return settings;
}

/** A path for people. */
function nameOf(path: string): string {
	return plainLine(relative(process.cwd(), path) || '.', 500);
}

/** The first Astro whose incremental builds reuse every page that they can. */
const GOOD_INCREMENTAL = [7, 3, 4] as const;

function checkProject(found: Findings, config: ReviewSite['config']): void {
	const { ok, warning } = found.in('Project');
	if (config.site) ok('Site address', config.site);
	else {
		warning('Site address', 'Not set, so structured data has the product addresses of the service.', {
			next: 'Set "site" in the Astro configuration.',
		});
	}
	if (!config.experimental.incrementalBuild) ok('Incremental', 'off: every build renders all pages');
	else if (!isOlder(ASTRO_VERSION, GOOD_INCREMENTAL)) {
		ok('Incremental', 'on: pages whose reviews did not change are reused');
	} else {
		warning('Incremental', `Astro ${ASTRO_VERSION} reuses fewer pages than it could.`, {
			next: `Upgrade to Astro ${GOOD_INCREMENTAL.join('.')} or later.`,
		});
	}
}

/** A value that an option or the environment may set. */
export interface Setting {
	readonly id: 'baseUrl' | 'wsid' | 'token' | 'webhookSecret' | 'webhookKey';
	/** Its environment variable. */
	readonly variable: string;
	/** The value, or the length of a secret; `undefined` if it is not set. */
	readonly shown: string | undefined;
	/** Length of a string; `undefined` for others. */
	readonly length: number | undefined;
	/** Where it was set, or where it is set to nothing. */
	readonly origin: string | undefined;
	/** Another place whose different value is not used. */
	readonly hides: string | undefined;
}

/** Finds out which values are set where. Of secrets, only the length is kept. @param files in order of precedence */
function readSettings(
	options: Partial<Pick<ProductReviewsOptions, 'baseUrl' | 'wsid' | 'token' | 'webhook'>>,
	environment: Readonly<Record<string, string | undefined>>,
	files: readonly EnvironmentFile[],
): readonly Setting[] {
	const ids = ['baseUrl', 'wsid', 'token', 'webhookSecret'] as const;
	const all = options.webhook?.keyHeader ? ([...ids, 'webhookKey'] as const) : ids;
	return all.map((id) => {
		const variable = ENVIRONMENT[id];
		const option = id === 'webhookSecret' || id === 'webhookKey' ? undefined : options[id];
		const places = [
			{ origin: `the option "${id}"`, value: option || undefined },
			{ origin: 'the environment', value: process.env[variable] },
			...files.map(({ name, variables }) => ({ origin: name, value: variables[variable] })),
		].filter(({ value }) => value !== undefined);
		const [first, ...others] = places;
		// A file may refer to other variables.
		const value = first && (option || environment[variable] || first.value);
		return {
			id,
			variable,
			shown: value === undefined ? undefined : showValue(value, id !== 'baseUrl' && id !== 'wsid'),
			length: typeof value === 'string' ? value.trim().length : undefined,
			origin: first?.origin,
			hides: others.find((other) => other.value !== value && other.value !== '')?.origin,
		};
	});
}

function showValue(value: unknown, isSecret: boolean): string | undefined {
	if (typeof value !== 'string') return 'a function';
	const text = value.trim();
	if (text === '') return undefined;
	if (isSecret) return `set (${text.length} characters)`;
	// Somebody may have put credentials into the address.
	return /[@?#]/.test(text) ? 'set (not shown, as it may contain a secret)' : plainLine(text, 200);
}

const NAMES = { baseUrl: 'Service', wsid: 'Website id', token: 'Token' } as const;

function checkSettings(
	found: Findings,
	settings: readonly Setting[],
	options: ProductReviewsOptions | undefined,
): void {
	const { ok, problem } = found.in('Configuration');
	for (const { id, variable, shown, origin, hides } of settings) {
		if (id === 'webhookSecret' || id === 'webhookKey') continue;
		const check = NAMES[id];
		const code = id === 'token' ? 'PR_MISSING_TOKEN' : 'PR_NOT_CONFIGURED';
		const next = `Set ${variable} in the environment or in .env, also wherever the site is built.`;
		if (shown !== undefined) {
			const ignored = hides === undefined ? '' : `; a different one in ${hides} is not used`;
			ok(check, `${shown}, from ${origin}${ignored}`);
		} else if (origin !== undefined && hides !== undefined) {
			problem(check, `${variable} is empty in ${origin}, which takes precedence over ${hides}.`, {
				code,
				next: `Remove the empty ${variable} from ${origin}.`,
			});
		} else if (id !== 'token') {
			problem(check, `Not set: neither the option "${id}" nor ${variable}.`, { code, next });
		} else {
			const { revalidate, sendTokenForReviews } = options ?? {};
			const other = sendTokenForReviews ? 'sendTokenForReviews' : undefined;
			const option = revalidate === 'ratings' ? 'revalidate' : other;
			if (option === undefined) ok(check, 'not set; only review data and ratings in lists need one');
			else problem(check, `Not set, but the option "${option}" needs it.`, { code, next });
		}
	}
}

function connect(found: Findings, { project, options }: ReviewSite): Connection | undefined {
	try {
		const connection = project.connection();
		checkAddress(connection.baseUrl, options.allowHttp, 'the setting above');
		return connection;
	} catch (error) {
		const { reason, code } = troubleOf(error, 'PR_NOT_CONFIGURED');
		// A value that is not set is reported with the setting.
		if (code !== 'PR_NOT_CONFIGURED') {
			const next = 'Give scheme and host, such as https://reviews.example.';
			found.in('Configuration').problem('Service', reason, { code, next });
		}
		return undefined;
	}
}

/** How long the list may take, in milliseconds. */
const PATIENCE = 10_000;

/** As much of the product list as was read. */
interface FoundList {
	readonly first: string;
	readonly read: number;
	/** Whether it contains the product that was given; `undefined` if this is unknown. */
	readonly hasProduct: boolean | undefined;
}

/**
 * Reads the first id of the product list, or, if a product is wanted, as far as that one.
 * @param patience in milliseconds.
 */
export async function checkList(
	found: Findings,
	source: ProductSource | undefined,
	wanted: string | undefined,
	patience = PATIENCE,
): Promise<FoundList | undefined> {
	const { ok, warning, problem } = found.in('Configuration');
	if (!source) {
		warning('Product list', 'The option "products" is not set: pages fetch one after another.', {
			next: 'Set "products" to the ids of all products, so that a build fetches them ahead.',
		});
		return undefined;
	}
	let length: number | undefined;
	const list = openProductList(source, (given) => (length = given));
	const { promise: timeUp, resolve: endWait } = Promise.withResolvers<'late'>();
	const timer = setTimeout(endWait, patience, 'late');
	let hasProduct: boolean | undefined;
	let first: string | undefined;
	try {
		while (hasProduct === undefined) {
			const step = await Promise.race([list.products.next(), timeUp]);
			if (step === 'late') break;
			if (step.done) hasProduct = false;
			else {
				first ??= step.value;
				if (wanted === undefined) break;
				if (step.value === wanted) hasProduct = true;
			}
		}
	} catch (error) {
		const {
			code,
			reason,
			next = 'Check the option "products".',
		} = troubleOf(error, 'PR_PRODUCT_LIST_UNREADABLE');
		problem('Product list', reason, { code, next });
		return undefined;
	} finally {
		clearTimeout(timer);
		// A list that hangs would never end.
		void list.products.return().catch(() => {});
	}
	if (first === undefined) {
		problem('Product list', `The product list gave no product within ${patience / 1_000} s.`, {
			code: 'PR_PRODUCT_LIST_UNREADABLE',
			next: 'Check the code behind the option "products", such as the catalogue that it asks.',
		});
		return undefined;
	}
	const size = length === undefined ? 'of unknown length' : count(length, 'product');
	ok('Product list', `${size}, the first is "${first}"`);
	return { first, read: list.pids.length, hasProduct };
}

function reportBeside(storeFile: string): BuildReport | undefined {
	const file = join(dirname(storeFile), REPORT_FILE);
	try {
		return readReport(file, file);
	} catch {
		return undefined;
	}
}

const LIST_IT = 'Check the id, and add it to the option "products".';

/** Everything that is known of one product. */
interface FoundProduct {
	readonly pid: string;
	/** Whether it was given with `--product`. */
	readonly isGiven: boolean;
	readonly list: FoundList | undefined;
	readonly report: BuildReport | undefined;
	readonly options: ProductReviewsOptions;
	readonly service: FoundService | undefined;
	readonly cached: CachedProduct | undefined;
}

/** Says why one product may have no reviews on its page. */
function checkProduct(found: Findings, product: FoundProduct): void {
	const { ok, warning, problem } = found.in('Product');
	const { pid, isGiven, list, report, options, service } = product;
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
	const { reviews } = service ?? {};
	if (reviews && reviews.count > 0) {
		if (isGiven) ok('Reviews', `the service has ${count(reviews.count, 'rating')}`);
	} else if (reviews) {
		warning('Reviews', `The service has no reviews of ${name}.`, {
			next: 'Check its id at the service, and whether its reviews are published there.',
		});
	}
	const reported = [...(report?.products ?? [])].find((other) => other.pid === pid);
	checkCached(found, product, reported);
	// Where there was nothing to show, no page counts as showing it.
	if (report && !['failed', 'unreadable', 'missing'].includes(reported?.status ?? '')) {
		const pages = reported?.pages.length ?? 0;
		if (pages > 0) ok('On pages', `on ${count(pages, 'page')} of the last build`);
		else {
			problem('On pages', `No page of the last build shows ${name}.`, {
				next: `Place <ProductReviews pid="${pid}" /> on its page, and build.`,
			});
		}
	}
	if (service?.dropped) {
		warning('Dropped parts', service.dropped, {
			code: 'PR_UNREADABLE_ANSWER',
			next: 'Correct these reviews at the service.',
		});
	}
	if (options.display === 'hidden') {
		const text = 'The option "display" is "hidden": visitors see reviews only in the service\'s widget.';
		warning('Display', text, {
			next: 'Set "display" to "visible", or leave it out, unless the site runs the widget.',
		});
	}
}

function checkCached(found: Findings, product: FoundProduct, reported: ProductReport | undefined): void {
	const { ok, warning, problem } = found.in('Product');
	const { pid, cached, report, service, list } = product;
	const name = nameProduct(pid);
	const reason = reported?.reason ?? 'unknown';
	const later = 'Build again when the service answers.';
	const fetched = cached && ago(Date.now() - cached.fetchedAt);
	if (reported?.status === 'failed' || reported?.status === 'unreadable') {
		problem('Last build', `The service failed for ${name}, and nothing is cached: ${reason}`, {
			code: reported.status === 'unreadable' ? 'PR_UNREADABLE_ANSWER' : 'PR_REVIEWS_UNAVAILABLE',
			next: later,
		});
	} else if (cached && !cached.isWhole) {
		problem('Cached', `The cached reviews of ${name} are damaged.`, {
			code: 'PR_CACHE_UNUSABLE',
			next: 'Build again: damaged rows are fetched again.',
		});
	} else if (cached?.state === 'stale' || reported?.status === 'stale') {
		const since = fetched === undefined ? '' : ` of ${fetched}`;
		warning('Cached', `The service failed in the last build, so reviews${since} are shown: ${reason}`, {
			code: 'PR_SERVICE_FAILED',
			next: later,
		});
	} else if (cached) ok('Cached', `${count(cached.count, 'rating')}, fetched ${fetched}`);
	else if (report && service) {
		warning('Cached', `The last build did not fetch ${name}.`, {
			code: 'PR_NOT_STORED',
			next: list?.hasProduct === false ? LIST_IT : 'Place a component with its id, and build.',
		});
	}
}

/** Pages whose files are looked at. */
const MOST_PAGES = 500;

/** The output of the last build. */
interface FoundOutput {
	readonly name: string;
	/** When the last of its pages was written; `undefined` if none was found. */
	readonly newest: number | undefined;
}

/** Says how the last build went, and whether its output is still there. */
function checkLastBuild(
	found: Findings,
	{ config, storeFile, root, report, hasCache }: LastBuildPlaces,
): FoundOutput | undefined {
	const { ok, warning, problem } = found.in('Last build');
	if (!report) {
		const text = hasCache
			? 'There is no report, so the last build did not finish.'
			: 'There is no report of a build yet.';
		warning('Report', text, { code: 'PR_NO_REPORT', next: 'Run "npx astro build" to its end.' });
		return undefined;
	}
	ok('Built', `${ago(Date.now() - Date.parse(report.builtAt))} with version ${report.version}`);
	if (report.pages.withReviews > 0) ok('Pages', `${count(report.pages.withReviews, 'page')} with reviews`);
	else {
		problem('Pages', 'No page of the last build has reviews.', {
			next: 'Place <ProductReviews pid={product.id} /> on the product pages, and build.',
		});
	}
	const findings = report.audit.findings.length;
	if (findings > 0) {
		warning('Audit', `${count(findings, 'finding')} about how pages show reviews.`, {
			next: 'Run "npx astro-product-reviews report --json" and look at "audit".',
		});
	}
	const outDir = fileURLToPath(config.outDir);
	const name = nameOf(outDir);
	if (!existsSync(outDir)) {
		warning('Output', `The output folder "${name}" is not here.`, {
			next: 'Build here, or run doctor where the site was built.',
		});
		return { name, newest: undefined };
	}
	const { folder, why } = outputOf(storeFile, root, outDir);
	const { checked, times } = timesOf(report, folder, config.base);
	if (times.length < checked) {
		const gone = `Of ${count(checked, 'page')} in "${name}", ${amount(checked - times.length)} gone since the last build.`;
		warning('Output', gone, { next: 'Build again, and let nothing delete pages from its output.' });
	} else if (checked > 0) ok('Output', `"${name}" has the ${count(checked, 'page')} checked`);
	if (why !== undefined) {
		const text = `"astro-product-reviews update" leaves everything to a build: ${why}.`;
		warning('Update', text, { next: 'Build once.' });
	}
	return { name, newest: times.length > 0 ? Math.max(...times) : undefined };
}

/** Where the last build is to be found. */
interface LastBuildPlaces extends Pick<ReviewSite, 'config'> {
	readonly storeFile: string;
	readonly root: string;
	readonly report: BuildReport | undefined;
	readonly hasCache: boolean;
}

/** The folder of the pages, and why only a build can bring new reviews into them; `undefined` if an update can. */
function outputOf(storeFile: string, root: string, outDir: string) {
	// Adapters separate the files for browsers from the server.
	const client = join(outDir, 'client');
	const folder = existsSync(client) ? client : outDir;
	try {
		const opened = openOutput(storeFile, root);
		if ('reason' in opened) return { folder, why: opened.reason };
		return { folder: resolve(opened.build.root, opened.build.folder), why: undefined };
	} catch (error) {
		return { folder, why: (error as Error).message };
	}
}

/** When the files of pages with reviews were written, for those that are there. */
function timesOf({ products }: BuildReport, folder: string, base: string) {
	const addresses = new Set([...products].flatMap(({ pages }) => pages));
	const checked = [...addresses].slice(0, MOST_PAGES);
	const times = checked.flatMap((address) => {
		const names = fileNames(address, base);
		const files = names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
		return files.find((file) => file?.isFile())?.mtimeMs ?? [];
	});
	return { checked: checked.length, times };
}

/** Files may be written a little before the last answer of a build, in milliseconds. */
const SLACK = 5_000;
/** A stale product is a matter of the next build; a day later, somebody should look. In milliseconds. */
const DAY = 86_400_000;
/** How long a change may wait for a build before something is wrong, in milliseconds: an hour. */
const WAIT = 3_600_000;

const NEW = 'New reviews' satisfies Group;

/** Everything that says how old reviews are. */
interface Freshness {
	readonly options: ProductReviewsOptions;
	readonly settings: readonly Setting[];
	readonly cache: FoundCache | undefined;
	readonly report: BuildReport | undefined;
	readonly output: FoundOutput | undefined;
}

/** Says why pages may show old reviews. */
function checkNewReviews(found: Findings, { options, settings, cache, report, output }: Freshness): void {
	const { ok, warning, problem } = found.in(NEW);
	const hasToken = settings.some(({ id, shown }) => id === 'token' && shown !== undefined);
	const { revalidate = hasToken ? 'ratings' : 'age', maxAge, staleIfError } = options;
	const limit = age(maxAge ?? (revalidate === 'ratings' ? 7 * DAY : WAIT));
	const rules = {
		always: 'all products',
		ratings: `products whose ratings changed, and those older than ${limit}`,
		age: `products older than ${limit} (maxAge)`,
	};
	ok('Each build', `fetches ${rules[revalidate]}`);
	if (cache && cache.stale > 0) {
		const since = cache.oldest === undefined ? 0 : Date.now() - cache.oldest;
		const reason = [...(report?.products ?? [])].find((product) => product.reason !== undefined)?.reason;
		const say = since > Math.min(DAY, staleIfError ?? DAY) ? problem : warning;
		say(
			'Stale',
			`The service failed in the last build: ${count(cache.stale, 'product')} show reviews of up to ${age(since)} ago. ${reason ?? 'unknown'}`,
			{ code: 'PR_SERVICE_FAILED', next: 'Build again when the service answers.' },
		);
	}
	if (report && output?.newest !== undefined) {
		const builtAt = Date.parse(report.builtAt);
		if (output.newest < builtAt - report.ms - SLACK) {
			warning('Output', `The pages in "${output.name}" are older than the last build.`, {
				next: 'Build again, or deploy what that build wrote.',
			});
		} else if ((cache?.newest ?? 0) > Math.max(builtAt, output.newest) + SLACK) {
			warning('Output', `The cache has newer reviews than the pages in "${output.name}".`, {
				next: 'Run "npx astro build", and deploy what it writes.',
			});
		}
	}
	if (cache?.marks) {
		const { products, oldest } = cache.marks;
		const some = `${count(products, 'product')} ${products === 1 ? 'was' : 'were'}`;
		const text = `${some} marked as changed ${ago(Date.now() - oldest)}, and not fetched since.`;
		warning('Waiting', text, { next: 'Run "npx astro build", or "npx astro-product-reviews update".' });
	}
}

/** Compares what the service sends now with what is cached. */
function checkOutdated(
	found: Findings,
	pid: string,
	cached: CachedProduct | undefined,
	service: FoundService | undefined,
): void {
	const { ok, warning } = found.in(NEW);
	const reviews = service?.reviews;
	if (!reviews || !cached?.isWhole) return;
	const name = nameProduct(pid);
	if (reviews.count === cached.count && Math.abs(reviews.average - cached.average) < 0.005) {
		ok('Up to date', `the cache has what the service sends for ${name}`);
		return;
	}
	const text = `The service has ${count(reviews.count, 'rating')} of ${name}, the cache ${cached.count}, fetched ${ago(Date.now() - cached.fetchedAt)}.`;
	warning('Outdated', text, { next: `Run "npx astro-product-reviews update ${pid}".` });
}

/** Length of a Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes. */
const SECRET_LENGTH = { least: 32, most: 6 + 88 } as const;

function checkSecrets(
	found: Findings,
	{ webhook }: ProductReviewsOptions,
	settings: readonly Setting[],
): void {
	const { ok, problem } = found.in(NEW);
	const of = (id: Setting['id']) => settings.find((setting) => setting.id === id);
	const [key, secret] = [of('webhookKey'), of('webhookSecret')];
	const code = 'PR_WEBHOOK_SECRET';
	if (webhook?.keyHeader && key?.shown !== undefined) ok('Webhook key', `${key.shown}, from ${key.origin}`);
	else if (secret?.shown !== undefined) {
		const { length = 0, shown, origin } = secret;
		// Two secrets, separated by a space, are there while one replaces the other.
		if (length >= SECRET_LENGTH.least && length <= 2 * SECRET_LENGTH.most + 1) {
			ok('Webhook', `secret ${shown}, from ${origin}`);
		} else {
			const text = `The secret in ${origin} has ${count(length, 'character')}, which no secret has.`;
			problem('Webhook', text, { code, next: 'Copy it again from the service: it begins with "whsec_".' });
		}
	} else if (!webhook) ok('Webhook', 'none here: new reviews appear with the next build or update');
	else {
		const variable = webhook.keyHeader ? key?.variable : secret?.variable;
		problem('Webhook', `The option "webhook" is set, but ${variable} is not, so every event is rejected.`, {
			code,
			next: `Set ${variable} where the site runs. The service shows it.`,
		});
	}
}
