import { ProductReviewsConfigurationError } from '../errors.js';

/** A part of a site that is built by itself. */
export interface Shard {
	/** From 1 to `count`. */
	readonly index: number;
	/** Number of shards of the site. */
	readonly count: number;
}

/** Which shard of how many a build is, such as `3/16`. Read from the environment of the process. Unset: the whole site. */
const SHARD = 'SHARD';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Which shard this build is, from the variable `SHARD`, such as `3/16`.
 * @param environment the environment of the process, where there is one.
 * @returns `{ index: 1, count: 1 }`, the whole site, if the variable is not set or empty.
 * @throws ProductReviewsConfigurationError if the variable is anything else.
 * @example
 * const { index, count } = readShard();
 * const products = await catalogue.query('... WHERE shard % $1 = $2', [count, index - 1]);
 */
export function readShard(environment: Environment = processEnvironment()): Shard {
	const shard = findShard(environment);
	if (shard) return shard;
	const given = environment[SHARD]?.trim();
	if (!given) return WHOLE;
	throw new ProductReviewsConfigurationError(
		'PR_INVALID_SHARD',
		`The variable ${SHARD} is ${JSON.stringify(given.slice(0, MOST_LETTERS))}, which is not a shard.`,
		`Set it to the number of the shard, from 1, and how many there are, such as ${SHARD}=3/16. Leave it out to build the whole site.`,
	);
}

/** The shard that the environment names; `undefined` if it names none: the variable may be another tool's. */
export function findShard(environment: Environment): Shard | undefined {
	const [, index = '', count = ''] = /^(\d{1,9})\/(\d{1,9})$/.exec(environment[SHARD]?.trim() ?? '') ?? [];
	const shard = { index: Number(index), count: Number(count) };
	return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

const WHOLE: Shard = { index: 1, count: 1 };

const MOST_LETTERS = 60;

/** Pages may be rendered where there is no process. */
function processEnvironment(): Environment {
	return globalThis.process?.env ?? {};
}
