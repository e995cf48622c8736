import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReviewSite } from '../../../astro/review-sites.js';
import { readEnvironment, readEnvironmentFiles } from '../../../build/trust.js';
import { REPORT_FILE } from '../../../constants.js';
import { checkAddress } from '../../../options/check-address.js';
import type { Connection } from '../../../options/connection.js';
import { parseOptions } from '../../../options/parse-options.js';
import type { ProductReviewsOptions } from '../../../options/schema.js';
import { plainLine } from '../../../text/clean-text.js';
import { age, amount } from '../../../text/words.js';
import { MODE, type SitePlace } from '../../site/load-site.js';
import type { Facts, SafeOptions, SiteFacts, Trouble } from '../facts.js';
import { askService } from './ask-service.js';
import { readBuild } from './read-build.js';
import { readList } from './read-list.js';
import { CHANGES_FILE, readReceiver } from './read-receiver.js';
import { readSettings } from './read-settings.js';
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
		account: connection?.account,
		isPublished: options.publish,
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
			pages: { checked: 0, gone: 0, altered: 0 },
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

const DURATIONS: ReadonlySet<string> = new Set(['timeout', 'maxAge', 'maxStale', 'deadline', 'keepUnused']);

function showOption(name: string, value: unknown): string {
	if (typeof value === 'number') return DURATIONS.has(name) ? age(value) : amount(value);
	return typeof value === 'boolean' || typeof value === 'string' ? plainLine(String(value), 60) : '';
}
