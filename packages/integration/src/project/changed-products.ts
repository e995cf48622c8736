import { readFileSync } from 'node:fs';
import { unlessFailing } from '../base/failures.js';
import { readProductId } from '../base/product-id.js';
import { amount } from '../base/words.js';
import type { Logger } from './log-lines.js';

export interface ChangedProducts {
	readonly pids: readonly string[];
	/** `true` if anything may have changed. */
	readonly all: boolean;
	/**
	 * `true` if something may have changed and nothing says what: the build may have been started by a deploy hook of a
	 * host that passes nothing on.
	 */
	readonly isUntold?: boolean;
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
	/** Set by GitLab: the file with the body that a pipeline was triggered with, which may name products that changed. */
	gitlabFile: 'TRIGGER_PAYLOAD',
} as const;

/**
 * Variables of hosts whose deploy hooks pass nothing on to the build: Vercel, Cloudflare Pages and Workers. The last one is
 * that of the documentation for the address of a hook, wherever a site is built.
 */
const UNTOLD = ['VERCEL', 'CF_PAGES', 'WORKERS_CI', 'DEPLOY_HOOK_URL'];

/**
 * Reads which products changed from whatever started the build. Anything that is not about products is ignored, because
 * a host's hook may serve another purpose.
 * @example REVIEWS_CHANGED="p-1, p-2" astro build
 */
export function readBuildChanges(
	logger: Pick<Logger, 'warn'>,
	environment: Readonly<Record<string, string | undefined>> = process.env,
): ChangedProducts {
	const found = [
		readText(environment[VARIABLES.own]),
		readJson(() => decode(environment[VARIABLES.netlify])),
		...(environment[VARIABLES.githubName] === 'repository_dispatch'
			? [readJson(() => readFileSync(environment[VARIABLES.githubFile] ?? '', 'utf8'), 'client_payload')]
			: []),
		readJson(() => readFileSync(environment[VARIABLES.gitlabFile] ?? '', 'utf8')),
	];
	const unusable = found.reduce((sum, part) => sum + part.unusable, 0);
	if (unusable > 0) {
		const ids = unusable === 1 ? 'one product ID' : `${amount(unusable)} product IDs`;
		logger.warn(
			`What started this build names ${ids} that cannot be used, so all reviews may have changed and are requested again. [PR_INVALID_PRODUCT_ID]`,
		);
	}
	const pids = [...new Set(found.flatMap((named) => named.pids))];
	const all = found.some((named) => named.all);
	const tells = Boolean(environment['NETLIFY']) || pids.length > 0 || all;
	const isUntold = !tells && UNTOLD.some((name) => Boolean(environment[name]));
	return { pids, all, ...(isUntold && { isUntold }) };
}

function readText(text = ''): NamedProducts {
	const trimmed = text.trim();
	if (/^[[{"]/.test(trimmed)) return readJson(() => trimmed);
	return namedIn(trimmed === ALL ? ALL : trimmed.split(/[\s,]+/).filter((pid) => pid !== ''));
}

/** Reads the products that a document names, or a property of it. A missing or invalid one names none. */
function readJson(read: () => string, property?: string): NamedProducts {
	const found = unlessFailing(() => JSON.parse(read()));
	return namedIn(property === undefined ? found : found?.[property]);
}

function decode(text = ''): string {
	return /^\s*[[{]/.test(text) ? text : decodeURIComponent(text.replaceAll('+', ' '));
}

interface NamedProducts extends ChangedProducts {
	/** Number of invalid ids. */
	readonly unusable: number;
}

/** Maximum depth of ids. In our triggers and the service's events, they are three levels deep. */
const MAX_DEPTH = 8;

function namedIn(given: unknown): NamedProducts {
	const pids: string[] = [];
	let all = false;
	let unusable = 0;

	const addIds = (ids: readonly unknown[]) => {
		for (const one of ids) {
			const id = isObject(one) ? one['pid'] : one;
			const pid = readProductId(id);
			if (pid !== undefined && pid.trim() !== '') pids.push(pid);
			else unusable += 1;
			// A number that JSON could not represent exactly may mean any product.
			all ||= typeof id === 'number' && pid === undefined;
		}
	};
	const add = (value: unknown, depth: number) => {
		if (value === ALL) all = true;
		else if (Array.isArray(value)) addIds(value);
		else if (typeof value === 'string') addIds([value]);
		else if (isObject(value)) {
			all ||= value['all'] === true;
			for (const ids of [value['pids'], value['arrpid'], value['pid']])
				if (ids !== undefined) addIds([ids].flat());
			if (depth < MAX_DEPTH) add(value['data'], depth + 1);
			else unusable += 1;
		}
	};
	add(given, 0);
	// A body without a single id serves another purpose.
	const isAboutProducts = pids.length > 0 || all;
	return {
		pids,
		all: all || (unusable > 0 && pids.length > 0),
		unusable: isAboutProducts ? unusable : 0,
	};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Used in place of ids if anything may have changed. In a list, it is the id of a product. */
const ALL = 'all';
