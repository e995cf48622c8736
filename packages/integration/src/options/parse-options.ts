import type { z } from 'astro/zod';
import { SERVICE_NAMES } from 'product-reviews-webhook';
import { checkProductId, emptyList } from '../base/product-id.js';
import { nearest } from '../base/words.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { checkAddresses } from './connection.js';
import { isProviderModule } from './provider.js';
import { optionsSchema, type ProductReviewsOptions } from './schema.js';

/**
 * Checks the options of `productReviews()` and fills in the defaults.
 * @throws ProductReviewsConfigurationError that names every invalid option, what was expected and what was received.
 * @throws ProductReviewsConfigurationError for an address that cannot be used. One in the environment is checked later.
 * @throws ProductReviewsConfigurationError if the product list is an array that is empty or contains anything other than ids.
 */
export function parseOptions(userOptions: unknown): ProductReviewsOptions {
	const parsed = optionsSchema.safeParse(userOptions ?? {});
	if (!parsed.success) {
		throw new ProductReviewsConfigurationError(
			'PR_INVALID_OPTIONS',
			'The options of productReviews() in the Astro configuration are invalid.',
			parsed.error.issues.map((issue) => `- ${describe(issue, userOptions)}`).join('\n'),
		);
	}
	const { baseUrl, products, provider } = parsed.data;
	const given = { ...parsed.data, baseUrl: Object.values(baseUrl ?? {}).join('') };
	const unused = OF_SERVICE.find((name) => given[name]);
	if (provider && unused) {
		throw new ProductReviewsConfigurationError(
			'PR_INVALID_OPTIONS',
			`The options "provider" and "${unused}" of productReviews() are both set.`,
			`"${unused}" is about the hosted service, which is not used where there is a provider. Leave one of them out.`,
		);
	}
	checkAddresses({ baseUrl }, parsed.data);
	if (Array.isArray(products)) {
		if (products.length === 0) throw emptyList();
		products.forEach(checkProductId);
	}
	return { ...parsed.data, webhook: webhookOf(parsed.data) };
}

/** Completes the option `webhook` with the service of a shipped provider, unless the site says how its webhooks are signed. */
function webhookOf({ webhook, provider }: ProductReviewsOptions): ProductReviewsOptions['webhook'] {
	if (!webhook || (webhook.from ?? webhook.keyHeader ?? webhook.keyQuery ?? webhook.ids)) return webhook;
	const entrypoint = provider && isProviderModule(provider) ? provider.entrypoint : '';
	const from = SERVICE_NAMES.find((name) => entrypoint === `astro-product-reviews/providers/${name}`);
	return from ? { ...webhook, from } : webhook;
}

/** Options of the hosted service alone. */
const OF_SERVICE = ['baseUrl', 'wsid', 'token', 'sendTokenForReviews'] as const;

function describe(issue: z.core.$ZodIssue, userOptions: unknown): string {
	if (issue.code === 'unrecognized_keys') {
		const keys = issue.keys.map((key) => `"${key}"`).join(', ');
		const within = issue.path.length > 0 ? `"${issue.path.join('.')}"` : 'productReviews()';
		const names = namesAt(issue.path);
		const meant = issue.keys.flatMap((key) => nearest(key, names) ?? []).map((name) => `"${name}"`);
		const advice = meant.length > 0 ? ` Did you mean ${meant.join(' and ')}?` : '';
		return `Unknown option ${keys}.${advice} ${within} takes: ${names.join(', ')}.`;
	}
	if (issue.path.length === 0) return `Expected an object of options, received ${show(userOptions)}.`;
	const received = valueAt(userOptions, issue.path);
	const shown = issue.path.some((key) => MAY_BE_SECRET.test(String(key))) ? kindOf(received) : show(received);
	return `"${issue.path.join('.')}": ${sentence(issue.message)} Received: ${shown}.`;
}

/** Options that hold a secret, or the name of a variable, where somebody may put the secret itself. */
const MAY_BE_SECRET = /^token$|^provider$|^config$|^driver$|Env$/;

/** Zod's own messages end with what was received, and without a full stop. Ours add both. */
function sentence(message: string): string {
	const expected = message.replace(/^Invalid input: e/, 'E').replace(/, received .*$/, '');
	return /[.!?]$/.test(expected) ? expected : `${expected}.`;
}

/** Returns the names that an object of options may have. */
function namesAt(path: readonly PropertyKey[]): string[] {
	let found = objectIn(optionsSchema as unknown as Schema);
	for (const key of path) found = objectIn(found?.shape?.[String(key)]);
	return Object.keys(found?.shape ?? {});
}

/** An object of options, or what is around one: a default, a preparation, or a choice of which one is an object. */
interface Schema {
	readonly shape?: Readonly<Record<string, Schema>>;
	readonly def: { readonly innerType?: Schema; readonly out?: Schema; readonly options?: readonly Schema[] };
}

function objectIn(schema: Schema | undefined): Schema | undefined {
	if (!schema || schema.shape) return schema;
	const { innerType, out, options = [] } = schema.def;
	return [innerType, out, ...options].map(objectIn).find(Boolean);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

/**
 * Formats an invalid value for a message. Long strings and the source of functions are not shown: they may contain a secret.
 */
function show(value: unknown): string {
	if (typeof value === 'string') return value.length > 40 ? 'a long string' : `"${value}"`;
	return value === null || !['object', 'function'].includes(typeof value) ? String(value) : kindOf(value);
}

function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'an array';
	if (value instanceof Promise) return 'a promise';
	if (typeof value === 'function') return 'a function';
	return typeof value === 'object' && value !== null ? 'an object' : `a value of type ${typeof value}`;
}
