import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';

/**
 * Reads the environment variable with options of the storage's driver.
 * @throws ProductReviewsConfigurationError that does not contain the value.
 */
export function readStorageConfig(text: string | undefined): Readonly<Record<string, unknown>> {
	if (!text?.trim()) return {};
	const config = parse(text);
	if (typeof config === 'object' && config !== null && !Array.isArray(config)) return { ...config };
	throw new ProductReviewsConfigurationError(
		'PR_STORAGE_FAILED',
		`${ENVIRONMENT.storageConfig} is not a JSON object, such as {"url":"redis://127.0.0.1:6379"}.`,
		'Set it where the site is built, and where its server runs.',
	);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
