import type { StoreSharing } from '../cache/build-storage.js';
import type { ReviewService } from '../service/review-service.js';
import type { Resource } from '../store/review-store.js';

/** How products of one resource are requested. @param sharing what is shared with other builders, if anything is. */
export function requestsOf(resource: Resource, service: ReviewService, sharing: StoreSharing | undefined) {
	const prioritize = (pid: string) => service.prioritize(resource, pid);
	const fetch = (pid: string, validators: string | undefined) => service.fetch(resource, pid, validators);
	if (!sharing) return { fetch, prioritize };
	// A page may wait for a product before its request is sent, because other builders come first.
	const urgent = new Set<string>();
	return {
		sharing,
		fetch(pid: string, validators: string | undefined) {
			const answer = fetch(pid, validators);
			if (urgent.has(pid)) prioritize(pid);
			const calm = () => void urgent.delete(pid);
			answer.then(calm, calm);
			return answer;
		},
		prioritize(pid: string) {
			urgent.add(pid);
			sharing.hurry(pid);
			prioritize(pid);
		},
	};
}
