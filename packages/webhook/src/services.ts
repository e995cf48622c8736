import { WebhookConfigurationError } from './errors.js';
import { propertyOf, type WebhookHandlerOptions } from './handler.js';
import { type HmacForm, hmac, MIN_LENGTH, sharedHeader, standardWebhooks, type Verifier } from './verify.js';

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
