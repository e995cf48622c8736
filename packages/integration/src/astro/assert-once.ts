import { INTEGRATION_NAME } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';

/** @throws ProductReviewsConfigurationError if a site has the integration twice: pages would ask one, and be audited by the other. */
export function assertOnce(integrations: readonly { readonly name: string }[]): void {
	if (integrations.filter(({ name }) => name === INTEGRATION_NAME).length < 2) return;
	throw new ProductReviewsConfigurationError(
		'PR_DUPLICATE_INTEGRATION',
		'productReviews() is in the Astro configuration twice.',
		'Keep one of them in `integrations`. A site shows the reviews of one website id.',
	);
}
