import { HttpError } from './http-error.js';
import type { Route } from './route.js';

/** A route and its path parameters. */
export interface RouteMatch {
	readonly route: Route;
	readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route of a request.
 *
 * The raw path is used, because a URL parser would resolve the ids `.` and `..`.
 *
 * @throws {HttpError} 404 for an unknown path, 405 for another method, 400 for broken percent-encoding.
 */
export function findRoute(routes: readonly Route[], method: string, path: string): RouteMatch {
	const parts = path.split('/').map(decode);
	const allowed: string[] = [];
	for (const route of routes) {
		const params = matchParts(route.path.split('/'), parts);
		if (!params) continue;
		if (route.method === method) return { route, params };
		allowed.push(route.method);
	}
	if (allowed.length === 0) throw new HttpError(404, 'Not found.');
	const allow = [...new Set(allowed)].join(', ');
	throw new HttpError(405, `This path supports ${allow}, not ${method}.`, { allow });
}

function matchParts(pattern: readonly string[], parts: readonly string[]) {
	if (pattern.length !== parts.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, expected] of pattern.entries()) {
		const part = parts[index] ?? '';
		if (expected.startsWith(':')) {
			if (part === '') return undefined;
			params[expected.slice(1)] = part;
		} else if (expected !== part) return undefined;
	}
	return params;
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw new HttpError(400, 'The path contains invalid percent-encoding.');
	}
}
