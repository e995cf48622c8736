import { WebhookConfigurationError } from './errors.js';
import { propertyOf, type WebhookHandlerOptions } from './handler.js';
import type { HmacForm, Verifier } from './verify.js';
import { hmac, MIN_LENGTH, sharedHeader, sharedQuery, standardWebhooks, unusableSecret } from './verify.js';

/** The options of a handler that say how events are verified and read. */
export type Reception = Pick<WebhookHandlerOptions, 'verify' | 'select' | 'ping' | 'maxBytes'>;

interface Service extends Pick<Reception, 'ping' | 'maxBytes'> {
	readonly verify: (secrets: readonly string[]) => Verifier;
	/** Returns the id of the product that an event is about; without one, or with 0, the event means nothing. */
	readonly product: (at: (path: string) => unknown) => unknown;
}

const signed = (form: HmacForm) => (secrets: readonly string[]) => hmac(form, secrets);

/** The event is about a product that it does not name. */
const UNNAMED = Symbol('a product without a name');

/** Precedes the product's number in Shopify's API, or at an app. */
const PREFIX = /^(?:gid:\/\/shopify\/Product\/|shopify-)/;

/** In bytes, for services that send whole products. */
const LARGE = 4_194_304;

/** What is known about the webhooks of each service. */
const SERVICES = {
	woocommerce: {
		verify: (secrets) =>
			hmac(
				{ header: 'x-wc-webhook-signature', id: 'x-wc-webhook-delivery-id' },
				// A secret that WooCommerce made up may have spaces in it.
				[secrets.join(' '), ...secrets.filter(({ length }) => length >= MIN_LENGTH)],
			),
		// Variations have a product above them.
		product: (at) => at('parent_id') || at('id'),
		ping: /^webhook_id=\d{1,20}$/,
		maxBytes: LARGE,
	},
	shopify: {
		verify: signed({ header: 'x-shopify-hmac-sha256', id: 'x-shopify-webhook-id' }),
		product(at) {
			// A deleted review may come without its fields.
			if (at('type') === 'product_review') return at('fields.product') ?? UNNAMED;
			const isOther = /^gid:(?!\/\/shopify\/Product\/)/.test(String(at('admin_graphql_api_id') ?? at('id')));
			return isOther ? undefined : at('id');
		},
		maxBytes: LARGE,
	},
	judgeme: {
		// The bodies of two events differ in the date of the review's last change.
		verify: signed({ header: 'judgeme-hmac-sha256', encoding: 'hex', id: 'judgeme-hmac-sha256' }),
		product(at) {
			const event = at('event');
			const isUnpublished = at('review.hidden') === true || at('review.curated') === 'spam';
			// An update that hides a review takes it from its page.
			if (event === 'review/created_fail' || (event === 'review/created' && isUnpublished)) return undefined;
			// 0 for reviews of the shop itself.
			return at('review.product_external_id');
		},
	},
	okendo: {
		verify: standardWebhooks,
		product: (at) => (at('resourceType') === 'review' ? at('resource.productId') : undefined),
	},
	stamped: {
		verify: (secrets) => sharedHeader('x-stamped-webhook-secret', secrets),
		product: (at) => at('productId'),
	},
	sanity: {
		verify: signed({
			header: 'sanity-webhook-signature',
			encoding: 'base64url',
			prefix: 'v1=',
			signed: '{timestamp}.{body}',
			timestamp: 't=',
			unit: 'ms',
			id: 'sanity-webhook-signature',
		}),
		product: (at) => at('pid'),
	},
} as const satisfies Record<string, Service>;

export type ServiceName = keyof typeof SERVICES;

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly ServiceName[];

/**
 * Returns the options with which a handler verifies and reads the webhooks of a service. Events that are about no product are
 * answered and ignored.
 *
 * @param secrets the webhook's secret; several for rotation, as a list or with spaces between them.
 * @throws WebhookConfigurationError for an unknown service, and for a missing or unusable secret.
 * @example createWebhookHandler({ ...serviceWebhooks('judgeme', process.env.REVIEWS_WEBHOOK_SECRET), onChange })
 */
export function serviceWebhooks(
	name: ServiceName,
	secrets: string | readonly string[] | undefined,
): Reception {
	if (!Object.hasOwn(SERVICES, name)) {
		throw new WebhookConfigurationError(
			`The service "${name}" is unknown. Known are ${SERVICE_NAMES.join(', ')}.`,
		);
	}
	const { verify, product, ...options }: Service = SERVICES[name];
	const texts = [secrets ?? []].flat().flatMap((text) => String(text).split(/\s+/).filter(Boolean));
	const select = (body: unknown) => {
		const found = product((path) => path.split('.').reduce(propertyOf, body));
		if (found === UNNAMED) return undefined;
		return [found ?? 0]
			.flat()
			.filter((id) => Number(id) !== 0)
			.map((id) => (typeof id === 'string' ? id.replace(PREFIX, '') : id));
	};
	return { ...options, verify: verify(texts), select };
}

export type ReadVariable = (name: string) => string | undefined;

/** How events are verified and read, and the names of the variables for it. */
export interface ReceptionVariables {
	/** The service that sends the events. @default none: events that are signed, or that have a fixed key */
	readonly from?: ServiceName | undefined;
	/** Variable with the webhook secret; with two, separated by a space, while it changes. */
	readonly secretEnv: string;
	/** Name of the header with a fixed key. @default none: events are signed */
	readonly keyHeader?: string | undefined;
	/** Name of the parameter in the URL's query with a fixed key. @default none */
	readonly keyQuery?: string | undefined;
	/** Variable with the key. Without it, the key in the header is the API key of the service, `REVIEWS_API_KEY`. */
	readonly keyEnv: string;
}

/** Services that send a fixed key in a header send the store's API key. */
export const API_KEY = 'REVIEWS_API_KEY';

/** @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value. */
export function readReception(
	{ from, secretEnv, keyHeader, keyQuery, keyEnv }: ReceptionVariables,
	readVariable: ReadVariable,
): Reception {
	const secrets = readVariable(secretEnv)?.split(/\s+/).filter(Boolean) ?? [];
	if (from !== undefined) {
		if (secrets.length > 0) return serviceWebhooks(from, secrets);
		throw unusableSecret(`${named(secretEnv)} is not set. Set it to the secret of the webhook at ${from}.`);
	}
	const key = () => readRequired(keyEnv, readVariable);
	const verify = [
		...(secrets.length > 0 ? [standardWebhooks(secrets)] : []),
		...(keyHeader
			? [sharedHeader(keyHeader, readVariable(keyEnv)?.trim() || readVariable(API_KEY)?.trim() || key())]
			: []),
		// The API key does not belong in a URL.
		...(keyQuery ? [sharedQuery(keyQuery, key())] : []),
	];
	if (verify.length > 0) return { verify };
	throw unusableSecret(
		`${named(secretEnv)} is not set. Set it to the webhook secret that the review service shows (it begins with "whsec_"). If it shows none and sends a fixed key, say in which header, with --key-header or the option webhook.keyHeader.`,
	);
}

/** @throws WebhookConfigurationError that names the variable if it is not set. */
export function readRequired(name: string, readVariable: ReadVariable): string {
	const value = readVariable(name)?.trim();
	if (!value) throw new WebhookConfigurationError(`${named(name)} is not set.`);
	return value;
}

/** Names a variable for a message. A secret given in place of the name must not appear in a log. */
function named(variable: string): string {
	return /^[A-Z_][A-Z0-9_]{0,99}$/.test(variable)
		? `The environment variable ${variable}`
		: 'The environment variable that an option names';
}
