import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Output } from '../build/output.js';
import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { type Connection, resolveConnection } from '../options/connection.js';

/**
 * The connection of the last build, with the token that is set now: the store keeps no secret.
 * @param folder of the `.env` files, absolute; `false` if there are none.
 * @throws ProductReviewsConfigurationError if the build had a token and there is none now.
 */
export function readConnection(
	output: Pick<Output, 'baseUrl' | 'wsid' | 'hasToken' | 'mode'>,
	folder: string | false,
	environment: Readonly<Record<string, string | undefined>>,
): Connection {
	const files = folder === false ? {} : readEnvironmentFiles(folder, output.mode);
	const token = environment[ENVIRONMENT.token] ?? files[ENVIRONMENT.token];
	if (output.hasToken && !token) {
		throw new ProductReviewsConfigurationError(
			'PR_MISSING_TOKEN',
			'The last build had an access token, but there is none now.',
			`Set ${ENVIRONMENT.token} in the environment or in .env. The store does not keep it.`,
		);
	}
	const { baseUrl, wsid } = output;
	// Without a token, a build would have shown other things, so one that is set since is not used.
	return resolveConnection({ baseUrl, wsid, token: output.hasToken ? token : undefined }, {});
}

/** The variables of a project's `.env` files. Later files take precedence, in the order that Vite documents. */
export function readEnvironmentFiles(folder: string, mode: string): Record<string, string | undefined> {
	const variables: Record<string, string | undefined> = {};
	for (const name of ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`]) {
		try {
			Object.assign(variables, parseEnv(readFileSync(join(folder, name), 'utf8')));
		} catch (error) {
			const { code = '' } = error as NodeJS.ErrnoException;
			if (!['ENOENT', 'EISDIR', 'ENOTDIR'].includes(code)) throw error;
		}
	}
	return variables;
}
