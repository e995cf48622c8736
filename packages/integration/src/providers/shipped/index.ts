import { nearest } from '../../base/words.js';
import { ProductReviewsConfigurationError } from '../../errors.js';
import type { ProviderModule } from '../../options/provider.js';
import type { JudgeMeConfig } from './judgeme.js';
import type { MedusaConfig } from './medusa.js';
import type { OkendoConfig } from './okendo.js';
import type { ShopifyConfig } from './shopify.js';
import type { WooCommerceConfig } from './woocommerce.js';
import type { YotpoConfig } from './yotpo.js';

/**
 * Review services that the option `provider` can name. Each function takes what identifies a store, and returns plain data that
 * builds, updates and servers keep. Secrets are read from the environment, by names that the documentation lists.
 * @example productReviews({ provider: providers.wooCommerce({ url: 'https://shop.example' }) })
 */
export const providers = {
	/** Judge.me for Shopify. Its private token is `JUDGEME_API_TOKEN`. */
	judgeMe: (config: JudgeMeConfig) => describe('judgeMe', config, ['shop'], ['includeUncurated']),
	/** Medusa 2 with the plugin `@lambdacurry/medusa-product-reviews`. */
	medusa: (config: MedusaConfig) => describe('medusa', config, ['url', 'publishableKey']),
	/** Okendo for Shopify. */
	okendo: (config: OkendoConfig) => describe('okendo', config, ['subscriberId']),
	/** Stars that a review app keeps at Shopify, without texts. The token is `SHOPIFY_STOREFRONT_TOKEN`. */
	shopify: (config: ShopifyConfig) => describe('shopify', config, ['domain'], ['apiVersion']),
	/** WooCommerce's own reviews, from its public Store API. */
	wooCommerce: (config: WooCommerceConfig) => describe('wooCommerce', config, ['url']),
	/** Yotpo, as its widget reads the reviews. */
	yotpo: (config: YotpoConfig) => describe('yotpo', config, ['appKey']),
} as const;

/**
 * Names the options of a provider that is one of these.
 * @returns `undefined` for a merchant's own provider.
 * @example 'the option "url" of providers.wooCommerce()'
 */
export function optionsOfShipped(module: ProviderModule | undefined): string | undefined {
	const name = Object.keys(providers).find((one) => entrypointOf(one) === module?.entrypoint);
	if (name === undefined) return undefined;
	const fields = Object.keys(module?.config ?? {}).map((field) => `"${field}"`);
	return `the option${fields.length === 1 ? '' : 's'} ${fields.join(' and ')} of providers.${name}()`;
}

const entrypointOf = (name: string) => `astro-product-reviews/providers/${name.toLowerCase()}`;

/** @throws ProductReviewsConfigurationError if something is missing, or is not known. */
function describe<Config extends object>(
	name: string,
	config: Config,
	needed: readonly (keyof Config & string)[],
	others: readonly (keyof Config & string)[] = [],
): ProviderModule {
	const known = [...needed, ...others] as readonly string[];
	const given = { ...config } as Readonly<Record<string, unknown>>;
	const missing = needed.find((field) => typeof given[field] !== 'string' || given[field] === '');
	const foreign = Object.keys(given).find((field) => !known.includes(field));
	if (missing === undefined && foreign === undefined)
		return { entrypoint: entrypointOf(name), config: given };
	const meant = foreign === undefined ? undefined : nearest(foreign, known);
	throw new ProductReviewsConfigurationError(
		'PR_INVALID_OPTIONS',
		missing === undefined
			? `providers.${name}() does not know "${foreign}".${meant ? ` Did you mean "${meant}"?` : ''}`
			: `providers.${name}() needs "${missing}", as a text.`,
		`It takes: ${known.join(', ')}.`,
	);
}
