import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { ReviewSite } from '../../../astro/project.js';
import { ENVIRONMENT, REPORT_FILE } from '../../../constants.js';
import { type Connection, checkAddress } from '../../../options/connection.js';
import { parseOptions } from '../../../options/parse-options.js';
import type { ProductReviewsOptions, ProductSource } from '../../../options/schema.js';
import { openProductList } from '../../../session/product-list.js';
import { type EnvironmentFile, readEnvironment, readEnvironmentFiles } from '../../../session/trust.js';
import { age, amount, plainLine } from '../../../text/words.js';
import { MODE, type SitePlace } from '../../site/load-site.js';
import type { Facts, ListFacts, ReceiverFacts, SafeOptions, Setting, SiteFacts, Trouble } from '../facts.js';
import { askService } from './ask-service.js';
import { readBuild } from './read-build.js';
import { readStore } from './read-store.js';
import { troubleOf } from './trouble.js';

/** Where to gather facts, and about what. */
export interface Question extends SitePlace {
	/** The working directory, for the names of files. */
	readonly cwd: string;
	/** The product to look at. @default the first of the list */
	readonly pid: string | undefined;
	readonly astroVersion: string;
}

/** An id for which no service has reviews: whether it answers can be seen from that, too. */
const ANY_PRODUCT = 'product-reviews-doctor';

const UNKNOWN_LIST = { state: 'none' } as const;

/** Gathers everything that the checks look at. Only the store, files and the service are read; nothing is changed. */
export async function gatherFacts(
	{ config, options, project }: ReviewSite,
	question: Question,
): Promise<Facts> {
	const { root, cwd, mode = MODE, pid: given } = question;
	const name = (path: string) => plainLine(relative(cwd, path) || '.', 500);
	const { connection, trouble } = connect(() => project.connection(), options);
	const list = await readList(options.products, given);
	const first = given ?? (list.state === 'read' ? list.first : undefined);
	const storeFile = project.storeFile();
	const read = (pid: string | undefined) =>
		readStore({ file: storeFile, name: name(storeFile), account: connection?.account, pid });
	const contents = read(first);
	const pid = first ?? contents.example;
	const { store, stored, markedAt } = pid === first ? contents : read(pid);
	const outDir = fileURLToPath(config.outDir);
	const places = {
		root,
		storeFile,
		reportFile: join(dirname(storeFile), REPORT_FILE),
		outDir,
		outName: name(outDir),
		base: config.base,
	};
	const { build, reported } = await readBuild(places, pid);
	return {
		now: Date.now(),
		versions: { node: process.versions.node, astro: question.astroVersion },
		site: describeSite(config, options, trouble),
		siteTrouble: undefined,
		settings: readSettings({
			options,
			environment: project.environment(),
			files: filesOf(config, root, mode),
		}),
		list,
		service: connection && (await askService(pid ?? ANY_PRODUCT, connection, options)),
		product: { pid, isGiven: given !== undefined, stored, markedAt, reported },
		store,
		build,
		receiver: readReceiver(join(root, CHANGES_FILE)),
	};
}

/** What can be said without a site. */
export function factsWithoutSite(
	trouble: Trouble,
	{ root, mode = MODE, pid, astroVersion }: Question,
): Facts {
	return {
		now: Date.now(),
		versions: { node: process.versions.node, astro: astroVersion },
		site: undefined,
		siteTrouble: trouble,
		settings: readSettings({
			options: {},
			environment: readEnvironment(mode, root),
			files: readEnvironmentFiles(root, mode),
		}),
		list: UNKNOWN_LIST,
		service: undefined,
		product: { pid, isGiven: pid !== undefined, stored: undefined, markedAt: undefined, reported: undefined },
		store: { state: 'missing', name: '' },
		build: {
			report: undefined,
			outDir: '',
			hasOutput: false,
			pages: { checked: 0, gone: 0 },
			newestFile: undefined,
			whyNoPublish: undefined,
		},
		receiver: { waiting: undefined, trouble: undefined },
	};
}

function connect(
	resolveConnection: () => Connection,
	options: ProductReviewsOptions,
): { connection?: Connection; trouble?: Trouble } {
	try {
		const connection = resolveConnection();
		checkAddress(connection.baseUrl, options.allowHttp, 'the setting above');
		return { connection };
	} catch (error) {
		return { trouble: troubleOf(error, 'PR_NOT_CONFIGURED') };
	}
}

type Config = ReviewSite['config'];

function filesOf({ vite }: Config, root: string, mode: string) {
	const { envDir } = vite;
	return envDir === false ? [] : readEnvironmentFiles(resolve(root, envDir ?? '.'), mode);
}

function describeSite(
	config: Config,
	options: ProductReviewsOptions,
	connectionTrouble: Trouble | undefined,
): SiteFacts {
	const { token: _token, products: _products, baseUrl: _baseUrl, wsid: _wsid, ...safe } = options;
	return {
		adapter: config.adapter?.name,
		site: config.site,
		isIncremental: config.experimental.incrementalBuild === true,
		hasCsp: Boolean(config.security?.csp),
		options: safe,
		changed: changedIn(safe),
		connectionTrouble,
	};
}

/** Options that are not the default, with values that are short. */
function changedIn(options: SafeOptions): string[] {
	const defaults = parseOptions({}) as SafeOptions;
	const names = Object.keys(options) as (keyof SafeOptions)[];
	return names
		.filter((name) => JSON.stringify(options[name]) !== JSON.stringify(defaults[name]))
		.map((name) => [name, showOption(name, options[name])].join(' ').trimEnd());
}

const DURATIONS: ReadonlySet<string> = new Set([
	'timeout',
	'maxAge',
	'staleIfError',
	'buildTimeout',
	'pruneAfter',
]);

function showOption(name: string, value: unknown): string {
	if (typeof value === 'number') return DURATIONS.has(name) ? age(value) : amount(value);
	return typeof value === 'boolean' || typeof value === 'string' ? plainLine(String(value), 60) : '';
}

/** Where `product-reviews-webhook` keeps waiting changes if nothing else is set, below its working directory. */
const CHANGES_FILE = '.product-reviews/changes.db';

/** Reads which changes wait for a rebuild, without changing the receiver's file. */
function readReceiver(file: string): ReceiverFacts {
	if (!existsSync(file)) return { waiting: undefined, trouble: undefined };
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
		const { products, oldest } = database
			.prepare('SELECT count(DISTINCT pid) AS products, min(received_at) AS oldest FROM changes')
			.get() as { products: number; oldest: number | null };
		return { waiting: oldest === null ? undefined : { products, oldest }, trouble: undefined };
	} catch (error) {
		return {
			waiting: undefined,
			trouble: { code: 'PR_CHANGES_UNUSABLE', reason: (error as Error).message },
		};
	} finally {
		database?.close();
	}
}

/** Where a value can be set. */
interface Sources {
	readonly options: Pick<ProductReviewsOptions, 'baseUrl' | 'wsid' | 'token' | 'webhook'>;
	/** Of the process and of the files together, as a build reads them. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Variables of the `.env` files by file name, in order of precedence. */
	readonly files: readonly EnvironmentFile[];
}

const MOST_LETTERS = 200;

/** Finds out which values are set where. Of secrets, only the length is kept. */
function readSettings({ options, environment, files }: Sources): Setting[] {
	const ids = ['baseUrl', 'wsid', 'token', 'webhookSecret'] as const;
	const all = options.webhook?.keyHeader ? ([...ids, 'webhookKey'] as const) : ids;
	return all.map((id) => {
		const variable = ENVIRONMENT[id];
		const isSecret = id !== 'baseUrl' && id !== 'wsid';
		const option = id === 'webhookSecret' || id === 'webhookKey' ? undefined : options[id];
		const places = [
			...(option ? [{ origin: `the option "${id}"`, value: option }] : []),
			...(process.env[variable] === undefined
				? []
				: [{ origin: 'the environment', value: process.env[variable] }]),
			...files.flatMap(({ name, variables }) =>
				variables[variable] === undefined ? [] : [{ origin: name, value: variables[variable] }],
			),
		];
		const [first, ...others] = places;
		// A file may refer to other variables.
		const used = first && { ...first, value: option || environment[variable] || first.value };
		const hidden = others.find(({ value }) => value !== used?.value && value !== '');
		return {
			id,
			variable,
			shown: used && show(used.value, isSecret),
			length: typeof used?.value === 'string' ? used.value.trim().length : undefined,
			origin: used?.origin,
			hides: hidden?.origin,
		};
	});
}

function show(value: unknown, isSecret: boolean): string | undefined {
	if (typeof value !== 'string') return 'a function';
	const text = value.trim();
	if (text === '') return undefined;
	if (isSecret) return `set (${text.length} characters)`;
	// Somebody may have put credentials into the address.
	return /[@?#]/.test(text) ? 'set (not shown, as it may contain a secret)' : plainLine(text, MOST_LETTERS);
}

/** How long the list may take, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Reads the first id of the product list, or, if a product is wanted, as far as that one.
 * @param patience in milliseconds.
 */
export async function readList(
	source: ProductSource | undefined,
	wanted: string | undefined,
	patience = PATIENCE,
): Promise<ListFacts> {
	if (!source) return { state: 'none' };
	let length: number | undefined;
	const list = openProductList(source, (given) => {
		length = given;
	});
	const { promise: timeUp, resolve } = Promise.withResolvers<'late'>();
	const timer = setTimeout(resolve, patience, 'late');
	try {
		let first: string | undefined;
		for (;;) {
			const step = await Promise.race([list.products.next(), timeUp]);
			if (step === 'late' && first === undefined) return late(patience);
			if (step === 'late' || step.done) {
				const hasProduct = step === 'late' ? undefined : false;
				return { state: 'read', first: first ?? '', length, read: list.pids.length, hasProduct };
			}
			first ??= step.value;
			if (wanted === undefined || step.value === wanted) {
				return {
					state: 'read',
					first,
					length,
					read: list.pids.length,
					hasProduct: wanted === undefined ? undefined : true,
				};
			}
		}
	} catch (error) {
		return { state: 'failed', trouble: troubleOf(error, 'PR_PRODUCT_LIST_UNREADABLE') };
	} finally {
		clearTimeout(timer);
		list.stop();
	}
}

function late(patience: number): ListFacts {
	return {
		state: 'failed',
		trouble: {
			code: 'PR_PRODUCT_LIST_UNREADABLE',
			reason: `The product list gave no product within ${patience / 1_000} s.`,
			next: 'Check the code behind the option "products", such as the catalogue that it asks.',
		},
	};
}
