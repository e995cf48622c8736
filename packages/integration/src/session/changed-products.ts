import { readFileSync } from 'node:fs';
import { readProductId } from '../text/product-id.js';
import type { Logger } from './run-context.js';

/** Products that changed according to whatever started the build. */
export interface ChangedProducts {
	readonly pids: readonly string[];
	/** Whether anything may have changed. */
	readonly all: boolean;
}

/** Environment variables that name the changed products. */
const VARIABLES = {
	/** Products that changed: ids separated by commas or white space, JSON, or `all`. */
	own: 'REVIEWS_CHANGED',
	/** Set by Netlify: the URL-encoded body of a build hook, which may name products that changed. */
	netlify: 'INCOMING_HOOK_BODY',
	/** Set by GitHub: the event that started a workflow. Only `repository_dispatch` is read. */
	githubName: 'GITHUB_EVENT_NAME',
	/** Set by GitHub: the file with that event's payload, which may name products that changed. */
	githubFile: 'GITHUB_EVENT_PATH',
} as const;

const NONE: Found = { pids: [], all: false, unusable: 0 };

/**
 * Reads which products changed from whatever started the build. Anything that is not about products is ignored, because
 * a host's hook may serve another purpose.
 * @param readFile returns the text of a file.
 * @param onUnusable called with the number of invalid ids. They may mean any product, so all may have changed.
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
	if (trimmed === ALL) return { ...NONE, all: true };
	return fromValue(trimmed.split(/[\s,]+/).filter((pid) => pid !== ''));
}

function readGithub(path: string | undefined, readFile: (path: string) => string): Found {
	if (!path) return NONE;
	try {
		return fromValue((parse(readFile(path)) as { client_payload?: unknown } | undefined)?.client_payload);
	} catch {
		// A missing file names no products.
		return NONE;
	}
}

/** What was found in a value. */
interface Found {
	readonly pids: readonly string[];
	readonly all: boolean;
	/** Number of invalid ids. */
	readonly unusable: number;
}

/** A value that is still to be inspected. */
interface Waiting {
	readonly value: unknown;
	readonly depth: number;
	/** Whether this should be a product id, or an object with one. */
	readonly isId: boolean;
}

/** Maximum depth of ids. In our triggers and the service's events, they are three levels deep. */
const MOST_DEPTH = 8;

/**
 * Reads a list of ids, or an object that contains ids as our triggers and the service's events do. A loop, not
 * recursion, because a body may be nested arbitrarily deep.
 */
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
			else if (pid === ALL && !isId) all = true;
			else pids.push(pid);
			// A number that JSON could not represent exactly may mean any product.
			all ||= typeof value === 'number' && pid === undefined;
		}
	}
	// A body without a single id serves another purpose.
	return {
		pids,
		all: all || (unusable > 0 && pids.length > 0),
		unusable: pids.length > 0 || all ? unusable : 0,
	};
}

/** Used in place of ids if anything may have changed. In a list, it is the id of a product. */
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

/**
 * Reads what changed from the environment of this build, and warns if it contains invalid ids.
 * @param logger called at most once.
 */
export function readBuildChanges(logger: Pick<Logger, 'warn'>): ChangedProducts {
	return readChangedProducts(
		process.env,
		(path) => readFileSync(path, 'utf8'),
		(count) => {
			const ids = count === 1 ? 'one product id' : `${count.toLocaleString('en')} product ids`;
			logger.warn(
				`What started this build names ${ids} that cannot be used, so all reviews may have changed and are requested again.`,
			);
		},
	);
}
