import { type Detail, responseProblem, type TryProblem } from './try-failure.js';

/**
 * The target of a redirect, or `undefined` if the answer is not one. At most three redirects are followed, only within
 * the service's origin, because the request may contain the token, and for a POST only if the status preserves the
 * method.
 *
 * @param followed number of redirects followed so far.
 * @returns the next address, or the problem if the redirect is refused.
 */
export function redirectTarget(
	response: Response,
	request: { method: string; url: string },
	followed: number,
): string | TryProblem | undefined {
	if (response.type === 'opaqueredirect') return refused('and this runtime does not tell where');
	if (!(response.status in REDIRECTS)) return undefined;
	const location = response.headers.get('location');
	const target = location === null ? null : URL.parse(location, request.url);
	if (!target) return refused('with no address that can be read');
	if (target.origin !== new URL(request.url).origin || target.username || target.password) {
		return refused((show) => `to another origin, ${show(target.origin, 100)}`);
	}
	if (request.method !== 'GET' && REDIRECTS[response.status] !== 'keeps the method') {
		return refused(`with status ${response.status}, which would turn ${request.method} into GET`);
	}
	if (followed >= MAX_REDIRECTS) return refused(`more than ${MAX_REDIRECTS} times`);
	return target.href;
}

const MAX_REDIRECTS = 3;

const REDIRECTS: Readonly<Record<number, 'keeps the method' | 'may change the method'>> = {
	301: 'may change the method',
	302: 'may change the method',
	303: 'may change the method',
	307: 'keeps the method',
	308: 'keeps the method',
};

function refused(how: Detail): TryProblem {
	return responseProblem('redirect', (show) => {
		const said = typeof how === 'function' ? how(show) : how;
		return `the service redirects ${said}, which is not followed,`;
	});
}
