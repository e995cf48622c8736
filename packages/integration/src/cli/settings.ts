import { ENVIRONMENT } from '../constants.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { EnvironmentFile } from '../session/trust.js';
import { plainLine } from '../text/words.js';
import type { Findings } from './findings.js';

/** Settings with a URL of the service, and their names in the option `baseUrl`. */
const URLS = {
	baseUrl: 'default',
	starRatingUrl: 'starRating',
	productReviewDataUrl: 'productReviewData',
	crawlerHtmlUrl: 'crawlerHtml',
} as const;

/** Settings that are named only if they are set. */
const OPTIONAL: readonly SettingId[] = [
	'starRatingUrl',
	'productReviewDataUrl',
	'crawlerHtmlUrl',
	'apiKey',
	'tokenUrl',
];

type SettingId =
	| keyof typeof URLS
	| 'wsid'
	| 'token'
	| 'apiKey'
	| 'tokenUrl'
	| 'webhookSecret'
	| 'webhookKey';

export interface Setting {
	readonly id: SettingId;
	readonly variable: string;
	/** The value, or the length of a secret; `undefined` if it is not set. */
	readonly shown: string | undefined;
	readonly length: number | undefined;
	/** Where it was set, or where it is set to nothing. */
	readonly origin: string | undefined;
	readonly hides: string | undefined;
}

export type Settings = Readonly<Partial<Record<SettingId, Setting>>>;

/** Finds out which values are set where. Of secrets, only the length is kept. @param files in order of precedence */
export function readSettings(
	options: Partial<ProductReviewsOptions>,
	environment: Readonly<Record<string, string | undefined>>,
	files: readonly EnvironmentFile[],
): Settings {
	const ids: SettingId[] = [
		...(Object.keys(URLS) as (keyof typeof URLS)[]),
		'wsid',
		'token',
		'apiKey',
		'tokenUrl',
		'webhookSecret',
	];
	const { keyHeader, keyQuery } = options.webhook ?? {};
	if (keyHeader ?? keyQuery) ids.push('webhookKey');
	const settings = ids.flatMap((id): [SettingId, Setting][] => {
		const variable = ENVIRONMENT[id];
		const option = optionOf(id, options);
		const places = [
			{ origin: `the option "${option.name}"`, value: option.value || undefined },
			{ origin: 'the environment', value: process.env[variable] },
			...files.map(({ name, variables }) => ({ origin: name, value: variables[variable] })),
		].filter(({ value }) => value !== undefined);
		const [first, ...others] = places;
		if (!first && OPTIONAL.includes(id)) return [];
		// A file may refer to other variables.
		const value = first && (option.value || environment[variable] || first.value);
		const isSecret = !(id in URLS) && id !== 'wsid' && id !== 'tokenUrl';
		const shown = value === undefined ? undefined : showValue(value, isSecret);
		const length = typeof value === 'string' ? value.trim().length : undefined;
		const hides = others.find((other) => other.value !== value && other.value !== '')?.origin;
		return [[id, { id, variable, shown, length, origin: first?.origin, hides }]];
	});
	return Object.fromEntries(settings);
}

function optionOf(id: SettingId, options: Partial<ProductReviewsOptions>) {
	if (id === 'wsid' || id === 'token') return { name: id, value: options[id] };
	if (!(id in URLS)) return { name: id, value: undefined };
	const url = URLS[id as keyof typeof URLS];
	return { name: url === 'default' ? 'baseUrl' : `baseUrl.${url}`, value: options.baseUrl?.[url] };
}

function showValue(value: unknown, isSecret: boolean): string | undefined {
	if (typeof value !== 'string') return 'a function';
	const text = value.trim();
	if (text === '') return undefined;
	if (isSecret) return `set (${text.length} characters)`;
	// Somebody may have put credentials into the address.
	return /[@?#]/.test(text) ? 'set (not shown, as it may contain a secret)' : plainLine(text, 200);
}

const NAMES = {
	baseUrl: 'Service',
	starRatingUrl: 'Star ratings',
	productReviewDataUrl: 'Review data',
	crawlerHtmlUrl: 'Crawler html',
	wsid: 'Website id',
	token: 'Token',
	apiKey: 'API key',
	tokenUrl: 'Token URL',
} as const;

export function checkSettings(
	found: Findings,
	settings: Settings,
	{ revalidate, sendTokenForReviews }: Partial<ProductReviewsOptions>,
): void {
	const { ok, problem } = found.in('Configuration');
	const isShown = (id: SettingId) => settings[id]?.shown !== undefined;
	const hasAllUrls = (['starRatingUrl', 'productReviewDataUrl', 'crawlerHtmlUrl'] as const).every(isShown);
	for (const id of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
		const check = NAMES[id];
		if (!isShown(id) && (OPTIONAL.includes(id) || (id === 'baseUrl' && hasAllUrls))) continue;
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
			problem(check, `Not set: neither the option "${id}" nor ${variable}.`, { code });
		} else if (revalidate === 'ratings' || sendTokenForReviews) {
			const option = revalidate === 'ratings' ? 'revalidate' : 'sendTokenForReviews';
			problem(check, `Not set, but the option "${option}" needs it.`, { code });
		} else ok(check, 'not set; only review data and ratings in lists need one');
	}
}
