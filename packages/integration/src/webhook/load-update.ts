import { WebhookConfigurationError } from 'product-reviews-webhook';
import { UPDATE_ID } from '../constants.js';

/** `updateReviews` of `astro-product-reviews/update`, as far as the endpoint uses it. */
export type UpdateReviews = (options: {
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
export async function loadUpdate(): Promise<UpdateReviews> {
	try {
		// A variable, so that whatever bundles the server leaves it alone.
		const name: string = UPDATE_ID;
		const { updateReviews } = await import(/* @vite-ignore */ name);
		return updateReviews;
	} catch (cause) {
		throw new WebhookConfigurationError(
			`"webhook.update" needs Node, and the package astro-product-reviews installed where the server runs (${cause instanceof Error ? cause.message : cause}).`,
			{ cause },
		);
	}
}
