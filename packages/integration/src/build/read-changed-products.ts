import { readProductId } from '../text/product-id.js';

/** Products that somebody outside says have changed. */
export interface ChangedProducts {
	readonly pids: readonly string[];
	/** Whether anything may have changed. */
	readonly all: boolean;
}

/** Names of the environment variables that say which products changed. */
const VARIABLES = {
	/** Ids with commas or white space between them, JSON, or `all`. */
	own: 'REVIEWS_CHANGED',
	/** Body that was sent to a Netlify build hook, encoded as in an address. */
	netlify: 'INCOMING_HOOK_BODY',
	/** What started a GitHub workflow, and the file that says more of it. */
	githubName: 'GITHUB_EVENT_NAME',
	githubFile: 'GITHUB_EVENT_PATH',
} as const;

const NONE: Found = { pids: [], all: false, unusable: 0 };

/**
 * Reads which products changed from what started the build. What is not about products is nothing: a host's hook may be
 * somebody else's.
 * @param readFile gives the text of a file.
 * @param onUnusable is told of ids that no product has: which products these are is not known, so that all may have changed.
 * @example REVIEWS_CHANGED="p-1, p-2" astro build
 */
export function readChangedProducts(
	environment: Readonly<Record<string, string | undefined>>,
	readFile: (path: string) => string,
	onUnusable: (count: number) => void = () => {},
): ChangedProducts {
	const found = [
		readOwn(environment[VARIABLES.own]),
		fromValue(parse(decode(environment[VARIABLES.netlify]))),
		environment[VARIABLES.githubName] === 'repository_dispatch'
			? readGithub(environment[VARIABLES.githubFile], readFile)
			: NONE,
	];
	const unusable = found.reduce((sum, part) => sum + part.unusable, 0);
	if (unusable > 0) onUnusable(unusable);
	return {
		pids: [...new Set(found.flatMap(({ pids }) => pids))],
		all: found.some(({ all }) => all),
	};
}

function readOwn(text = ''): Found {
	const trimmed = text.trim();
	if (/^[[{"]/.test(trimmed)) return fromValue(parse(trimmed));
	return fromValue(trimmed.split(/[\s,]+/).filter((pid) => pid !== ''));
}

function readGithub(path: string | undefined, readFile: (path: string) => string): Found {
	if (!path) return NONE;
	try {
		return fromValue((parse(readFile(path)) as { client_payload?: unknown } | undefined)?.client_payload);
	} catch {
		// A file that is gone says nothing.
		return NONE;
	}
}

/** What is found in a value. */
interface Found {
	readonly pids: readonly string[];
	readonly all: boolean;
	/** Ids that cannot be used. */
	readonly unusable: number;
}

/** A value that is still to be looked at. */
interface Waiting {
	readonly value: unknown;
	readonly depth: number;
	/** Whether a product id is to stand here, or an object with one. */
	readonly isId: boolean;
}

/** How deep ids lie at the most: our triggers and the service's events have them three deep. */
const MOST_DEPTH = 8;

/** A list of ids, or an object that holds ids as our triggers and the service's events do. A loop: a body may be nested as deep as it likes. */
function fromValue(given: unknown): Found {
	const pids: string[] = [];
	let all = false;
	let unusable = 0;
	const waiting: Waiting[] = [{ value: given, depth: 0, isId: false }];
	for (let at = 0; at < waiting.length; at++) {
		const { value, depth, isId } = waiting[at] as Waiting;
		const add = (values: readonly unknown[], areIds: boolean) => {
			for (const one of values) waiting.push({ value: one, depth: depth + 1, isId: areIds });
		};
		if (depth > MOST_DEPTH) unusable += 1;
		else if (Array.isArray(value) && !isId) add(value, true);
		else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			const { pid, pids: listed, arrpid, data, all: isAll } = value as Record<string, unknown>;
			if (isId) add([pid], true);
			else {
				all ||= isAll === true;
				for (const ids of [listed, arrpid, pid]) if (ids !== undefined) add([ids].flat(), true);
				if (data !== undefined && data !== null) add([data], false);
			}
		} else if (isId || typeof value === 'string') {
			const pid = readProductId(value);
			if (pid === undefined || pid.trim() === '') unusable += 1;
			else if (pid === ALL) all = true;
			else pids.push(pid);
			// Which product a number means that JSON could not carry is not known: it may be any.
			all ||= typeof value === 'number' && pid === undefined;
		}
	}
	// A body without a single id is somebody else's, and says nothing.
	return {
		pids,
		all: all || (unusable > 0 && pids.length > 0),
		unusable: pids.length > 0 || all ? unusable : 0,
	};
}

/** In place of ids: anything may have changed. */
const ALL = 'all';

function parse(text: string | undefined): unknown {
	try {
		return JSON.parse(text ?? '');
	} catch {
		return undefined;
	}
}

function decode(text: string | undefined): string | undefined {
	try {
		return text === undefined || /^\s*[[{]/.test(text) ? text : decodeURIComponent(text.replaceAll('+', ' '));
	} catch {
		return undefined;
	}
}
