import type { EnvironmentFile } from '../../../build/trust.js';
import { ENVIRONMENT } from '../../../constants.js';
import type { ProductReviewsOptions } from '../../../options/schema.js';
import { plainLine } from '../../../text/clean-text.js';
import type { Setting } from '../facts.js';

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
export function readSettings({ options, environment, files }: Sources): Setting[] {
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
