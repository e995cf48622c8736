import { readProductId } from '../product-id.js';

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

const NONE: ChangedProducts = { pids: [], all: false };

/**
 * Reads which products changed from what started the build. What is not about products is nothing: a host's hook may be
 * somebody else's.
 * @param readFile gives the text of a file.
 * @example REVIEWS_CHANGED="p-1, p-2" astro build
 */
export function readChangedProducts(
	environment: Readonly<Record<string, string | undefined>>,
	readFile: (path: string) => string,
): ChangedProducts {
	const found = [
		readOwn(environment[VARIABLES.own]),
		fromValue(parse(decode(environment[VARIABLES.netlify]))),
		environment[VARIABLES.githubName] === 'repository_dispatch'
			? readGithub(environment[VARIABLES.githubFile], readFile)
			: NONE,
	];
	return {
		pids: [...new Set(found.flatMap(({ pids }) => pids))],
		all: found.some(({ all }) => all),
	};
}

function readOwn(text = ''): ChangedProducts {
	const trimmed = text.trim();
	if (/^[[{"]/.test(trimmed)) return fromValue(parse(trimmed));
	return fromValue(trimmed.split(/[\s,]+/));
}

function readGithub(path: string | undefined, readFile: (path: string) => string): ChangedProducts {
	if (!path) return NONE;
	try {
		return fromValue((parse(readFile(path)) as { client_payload?: unknown } | undefined)?.client_payload);
	} catch {
		// A file that is gone says nothing.
		return NONE;
	}
}

/** A list of ids, or an object that holds ids as our triggers and the service's events do. */
function fromValue(value: unknown): ChangedProducts {
	if (Array.isArray(value)) {
		const pids = value.flatMap((item) => toPid(item) ?? []);
		return { pids: pids.filter((pid) => pid !== ALL), all: pids.includes(ALL) };
	}
	if (typeof value === 'string') return fromValue([value]);
	if (typeof value !== 'object' || value === null) return NONE;
	const { pid, pids, arrpid, data, all } = value as Record<string, unknown>;
	const found = [pids, arrpid, [pid].flat(), data].map((part) => fromValue(part ?? undefined));
	return { pids: found.flatMap((part) => part.pids), all: all === true || found.some((part) => part.all) };
}

/** In place of ids: anything may have changed. */
const ALL = 'all';

function toPid(item: unknown): string | undefined {
	if (typeof item === 'object' && item !== null) return toPid((item as { pid?: unknown }).pid);
	// Which product a number means that JSON could not carry is not known: it may be any.
	if (typeof item === 'number') return readProductId(item) ?? ALL;
	return readProductId(item);
}

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
