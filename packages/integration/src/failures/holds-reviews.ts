import type { Entry } from '../store/review-store.js';

/** Whether a stored answer about a product holds reviews, or questions about it, by what is known without reading it. */
export function holdsReviews({ summary }: Pick<Entry, 'summary'>): boolean {
	try {
		const { count, questionCount } = JSON.parse(summary ?? '{}') ?? {};
		return count > 0 || questionCount > 0;
	} catch {
		return false;
	}
}
