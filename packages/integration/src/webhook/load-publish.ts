import { WebhookConfigurationError } from 'product-reviews-webhook';
import { PUBLISH_ID } from '../constants.js';

/** `publishReviews` of `astro-product-reviews/publish`, as far as the endpoint uses it. */
export type PublishReviews = (options: {
	readonly pids: readonly string[] | 'all';
	readonly storeFile: URL;
	readonly onWarning: (message: string) => void;
}) => Promise<{
	readonly files: readonly string[];
	readonly rebuild: readonly { readonly page: string | null; readonly reason: string }[];
	readonly failed: readonly { readonly pid: string; readonly reason: string }[];
}>;

/**
 * Loads the function from the package beside the server. It needs Node, files and threads, so it is not part of the
 * server's own code.
 * @throws WebhookConfigurationError if that is not possible here.
 */
export async function loadPublish(): Promise<PublishReviews> {
	try {
		// A variable, so that whatever bundles the server leaves it alone.
		const name: string = PUBLISH_ID;
		const { publishReviews } = await import(/* @vite-ignore */ name);
		return publishReviews;
	} catch (cause) {
		throw new WebhookConfigurationError(
			`"webhook.publish" needs Node, and the package astro-product-reviews installed where the server runs (${cause instanceof Error ? cause.message : cause}).`,
			{ cause },
		);
	}
}
