import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { plainLine } from '../base/words.js';
import { ENVIRONMENT } from '../constants.js';
import { isProviderModule } from '../options/provider.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { readEnvironmentFiles } from '../project/environment.js';
import { componentsFrom } from '../render/write-fragment.js';
import type { Findings } from './findings.js';

interface Kind {
	/** Name of the check; without a name, the setting is part of another check. */
	readonly check?: string;
	/** Option of `productReviews()`. */
	readonly option?: string;
	readonly isSecret?: true;
	/** Names the setting even if it is not set. */
	readonly isExpected?: true;
}

const KINDS = {
	baseUrl: { check: 'Service', option: 'baseUrl', isExpected: true },
	starRatingUrl: { check: 'Star ratings', option: 'baseUrl.starRating' },
	productReviewDataUrl: { check: 'Review data', option: 'baseUrl.productReviewData' },
	crawlerHtmlUrl: { check: 'Crawler html', option: 'baseUrl.crawlerHtml' },
	wsid: { check: 'Website ID', option: 'wsid', isExpected: true },
	token: { check: 'Token', option: 'token', isSecret: true, isExpected: true },
	apiKey: { check: 'API key', isSecret: true },
	tokenUrl: { check: 'Token URL' },
	webhookSecret: { isSecret: true, isExpected: true },
	webhookKey: { isSecret: true, isExpected: true },
} as const satisfies Readonly<Partial<Record<keyof typeof ENVIRONMENT, Kind>>>;

type SettingId = keyof typeof KINDS;

const ALL = Object.entries<Kind>(KINDS) as readonly (readonly [SettingId, Kind])[];

export interface Setting {
	readonly id: SettingId;
	readonly variable: string;
	/** The value, or the length of a secret; `undefined` if it is not set. */
	readonly shown: string | undefined;
	readonly length: number | undefined;
	/** Place where the variable is set, perhaps to nothing. */
	readonly origin: string | undefined;
	readonly hides: string | undefined;
}

export type Settings = Readonly<Partial<Record<SettingId, Setting>>>;

/** Finds out which values are set where. Of secrets, only the length is kept. */
export function readSettings(
	options: Partial<ProductReviewsOptions>,
	environment: Readonly<Record<string, string | undefined>>,
	files: ReturnType<typeof readEnvironmentFiles>,
): Settings {
	const { keyHeader, keyQuery } = options.webhook ?? {};
	const settings = ALL.flatMap(([id, { check, option, isSecret, isExpected }]): [SettingId, Setting][] => {
		if (id === 'webhookKey' && !keyHeader && !keyQuery) return [];
		// With a provider, the API key of the hosted service is only what comes with events.
		if (options.provider && check && !(id === 'apiKey' && keyHeader)) return [];
		const variable = ENVIRONMENT[id];
		const chosen = option === undefined ? undefined : optionOf(options, option);
		const places = [
			{ origin: `the option "${option}"`, value: chosen },
			{ origin: 'the environment', value: process.env[variable] },
			...files.map(({ name, variables }) => ({ origin: name, value: variables[variable] })),
		].filter(({ value }) => value !== undefined);
		const [first, ...others] = places;
		if (!first && !isExpected) return [];
		// A file may refer to other variables.
		const value = first && (chosen || environment[variable] || first.value);
		const shown = value === undefined ? undefined : showValue(value, isSecret === true);
		const length = typeof value === 'string' ? value.trim().length : undefined;
		const hides = others.find((other) => other.value !== value && other.value !== '')?.origin;
		return [[id, { id, variable, shown, length, origin: first?.origin, hides }]];
	});
	return Object.fromEntries(settings);
}

function optionOf(options: object, option: string): unknown {
	const [name = '', part = 'default'] = option.split('.');
	const value: unknown = Reflect.get(options, name);
	return (typeof value === 'object' && value ? Reflect.get(value, part) : value) || undefined;
}

function showValue(value: unknown, isSecret: boolean): string | undefined {
	if (typeof value !== 'string') return 'a function';
	const text = value.trim();
	if (text === '') return undefined;
	if (isSecret) return `set (${text.length} characters)`;
	// Somebody may have put credentials into the address.
	return /[@?#]/.test(text) ? 'set (not shown, as it may contain a secret)' : plainLine(text, 200);
}

/** @param place where variables can be set. @param sources folder with the site's code. */
export function checkSettings(
	found: Findings,
	settings: Settings,
	{ provider, revalidate, sendTokenForReviews }: Partial<ProductReviewsOptions>,
	place: string,
	sources?: string,
): void {
	const { ok, problem } = found.in('Configuration');
	if (provider) {
		const isModule = isProviderModule(provider);
		ok('Provider', isModule ? `the module ${plainLine(provider.entrypoint, 200)}` : 'an object');
		return;
	}
	const tokenUse = sources !== undefined && existsSync(sources) ? findTokenUse(sources) : undefined;
	const isShown = (id: SettingId) => settings[id]?.shown !== undefined;
	const hasAllUrls = (['starRatingUrl', 'productReviewDataUrl', 'crawlerHtmlUrl'] as const).every(isShown);
	const missing = (['baseUrl', 'wsid'] as const).filter(
		(id) => !isShown(id) && !(id === 'baseUrl' && hasAllUrls),
	);
	const listed = (texts: readonly string[]) => texts.join(' and ');
	const names = listed(missing.map((id) => `"${id}"`));
	const variables = listed(missing.map((id) => ENVIRONMENT[id]));
	const option = missing.length > 1 ? 'the options' : 'the option';
	const setBoth = `Set ${variables} ${place}, wherever you build, or pass ${option} ${names} to productReviews().`;
	for (const [id, { check, isExpected }] of ALL) {
		if (check === undefined) continue;
		if (!isShown(id) && (!isExpected || (id === 'baseUrl' && hasAllUrls))) continue;
		const { variable, shown, origin, hides } = settings[id] ?? { variable: ENVIRONMENT[id] };
		const code = id === 'token' ? 'PR_MISSING_TOKEN' : 'PR_NOT_CONFIGURED';
		if (shown !== undefined) {
			const ignored = hides === undefined ? '' : `; a different one in ${hides} is not used`;
			ok(check, `${shown}, from ${origin}${ignored}`);
		} else if (id === 'token' && isShown('apiKey')) {
			ok(check, 'requested with the API key when it is needed');
		} else if (origin !== undefined && hides !== undefined) {
			problem(check, `${variable} is empty in ${origin}, which takes precedence over ${hides}.`, {
				code,
				next: `Remove the empty ${variable} from ${origin}.`,
			});
		} else if (id !== 'token') {
			problem(check, `Not set: neither the option "${id}" nor ${variable}.`, {
				code,
				next: setBoth,
			});
		} else if (revalidate === 'ratings' || sendTokenForReviews) {
			const option = revalidate === 'ratings' ? 'revalidate' : 'sendTokenForReviews';
			problem(check, `Not set, but the option "${option}" needs it.`, { code });
		} else if (tokenUse) {
			problem(check, `Not set, but ${tokenUse} needs one.`, {
				code,
				next: `Set ${variable} ${place}. <ProductReviews> and <ReviewSchema> need none.`,
			});
		} else ok(check, 'not set; only review data and ratings in lists need one');
	}
}

/** Components and functions that show what the service gives only with an access token. */
const NEEDS_TOKEN = new RegExp(`<(?:${componentsFrom('review-data').join('|')})\\b|\\bgetReviewData(?=\\()`);

/** Names the first of the site's files that needs an access token: '<ReviewSection> in "src/pages/index.astro"'. */
function findTokenUse(sources: string): string | undefined {
	for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || !/\.(?:astro|mdx?|[jt]sx?)$/.test(entry.name)) continue;
		const file = join(entry.parentPath, entry.name);
		const [found] = NEEDS_TOKEN.exec(readFileSync(file, 'utf8')) ?? [];
		if (found) {
			const use = found.startsWith('<') ? `${found}>` : `${found}()`;
			return `${use} in "${relative(dirname(sources), file)}"`;
		}
	}
	return undefined;
}
