import { NoReviewSourceError } from './no-source.js';
import type { RemoteCall, RemoteError } from './remote-call.js';
import type { ReviewSource } from './source.js';

/**
 * A source that calls the build or dev server over loopback, for a page rendered outside its process. Uses no Node API.
 * @param address of the server, with the key as its fragment.
 * @param page path of the page's address; `undefined` if unknown.
 * @throws NoReviewSourceError from every call if the server cannot be reached.
 */
export function createRemoteSource(address: string, page: string | undefined): ReviewSource {
	const [url = '', key] = address.split('#');
	const call = async <Value>(method: RemoteCall['method'], ...args: unknown[]): Promise<Value> => {
		const body: RemoteCall = { method, args, page };
		const response = await fetch(url, {
			method: 'POST',
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}).catch((error: unknown) => {
			throw new NoReviewSourceError({ cause: error });
		});
		// Another program may be listening there by now.
		if (response.status !== 200 && response.status !== 500) throw new NoReviewSourceError();
		const answer = (await response.json()) as { value: Value } & RemoteError;
		if (response.status === 200) return answer.value;
		throw Object.assign(new Error(answer.message), { name: answer.name });
	};
	return {
		getFragment: (pid, request) => call('getFragment', pid, request),
		getProductReviews: (pid) => call('getProductReviews', pid),
		getStarRating: (pid) => call('getStarRating', pid),
		getReviewData: (pid) => call('getReviewData', pid),
		digestOf: (pids) => call('digestOf', pids),
		place: (facts) => call('place', facts),
	};
}
