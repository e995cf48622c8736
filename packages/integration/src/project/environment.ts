/**
 * Who decides what. The security page of the documentation has this as a table.
 *
 * - The project's own configuration and environment, read on this machine, decide the address of the service or the provider, the
 *   token, the driver of a storage, folders, and commands that are run. Builds and commands read them here.
 * - Where a command runs without Astro, the manifest of the last build says what the configuration was: see `project/manifest.ts`.
 * - Cache, shared storage, events and answers are data. They can be wrong or missing, and never more.
 */
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { unlessFailing } from '../base/failures.js';
import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { readStorageConfig, resolveConnection, urlOriginsOf } from '../options/connection.js';
import { openProvider, type SiteConnection, type Variables } from '../providers/load-provider.js';
import { readIfThere } from './files.js';
import { type Manifest, quote, readBundle, type WrittenManifest } from './manifest.js';
import type { StorageContext } from './open-shared.js';

/**
 * The variables of this integration, from the process and from the project's `.env` files, as Vite reads them. The
 * process takes precedence.
 */
export function readEnvironment(mode: string, folder: string | false): Variables {
	if (folder === false) return process.env;
	const files = readEnvironmentFiles(folder, mode).toReversed();
	const variables: Variables = Object.assign({}, ...files.map((file) => file.variables));
	const hasReferences = Object.values(variables).some((value) => value?.includes('$'));
	// Only Vite resolves references as it does. To load it takes longer than a command that updates a page.
	return { ...variables, ...(hasReferences && astrosVite().loadEnv(mode, folder, '')), ...process.env };
}

/** The Vite that Astro runs on. One of our own could be a different version. */
export function astrosVite(): Pick<typeof import('vite'), 'loadEnv' | 'build'> {
	const astro = createRequire(import.meta.url).resolve('astro/package.json');
	return createRequire(astro)('vite');
}

/** Returns the `.env` files of a mode, in order of precedence. */
export function readEnvironmentFiles(folder: string, mode: string) {
	return [`.env.${mode}.local`, `.env.${mode}`, '.env.local', '.env'].flatMap((name) => {
		const text = readIfThere(join(folder, name));
		return text === undefined ? [] : [{ name, variables: parseEnv(text) }];
	});
}

/**
 * Says where variables can be set.
 * @param folder with the `.env` files, as an absolute path; `false` for none.
 * @example 'in the environment or in the file .env in the folder "shop"'
 */
export function placeOfVariables(root: string, folder: string | false): string {
	if (folder === false) return 'in the environment';
	const name = relative(dirname(root), folder).replaceAll(sep, '/');
	return `in the environment or in the file .env in the folder ${quote(name)}`;
}

/** The connection of the last build, with the token that is set now: no file keeps a secret. */
export async function connectionOf(build: WrittenManifest, environment: Variables): Promise<SiteConnection> {
	const { baseUrl, wsid, hasToken, provider, root, options } = build;
	if (provider) return openProvider(provider, root, environment, readBundle(build));
	const { token, apiKey, tokenUrl } = ENVIRONMENT;
	if (hasToken && !environment[token] && !environment[apiKey]) {
		throw new ProductReviewsConfigurationError(
			'PR_MISSING_TOKEN',
			'The last build had an access token, but there is none now.',
			`Set ${token} or ${apiKey} in the environment or in .env. No file of the build keeps it.`,
		);
	}
	// Without a token, a build would have shown other things, so one that is set since is not used.
	const names = hasToken ? [token, apiKey, tokenUrl] : [];
	const secrets = Object.fromEntries(names.map((name) => [name, environment[name]]));
	const connection = resolveConnection({ baseUrl, wsid, allowHttp: options.allowHttp }, secrets);
	return { ...connection, urlOrigins: urlOriginsOf(baseUrl, options.baseUrl) };
}

export function storageOf(
	{ storage, root }: Manifest,
	environment: Variables,
	warn: (message: string) => void,
): StorageContext | undefined {
	if (!storage) return undefined;
	const config = environment[ENVIRONMENT.storageConfig];
	// What is wrong with it is said where the storage is used.
	const given = unlessFailing(() => Object.keys(readStorageConfig(config))) ?? [];
	const missing = storage.omitted.filter((name) => !given.includes(name));
	if (missing.length === 0) return { options: storage, environment: config, root };
	warn(
		`The shared storage is not used: ${missing.map((name) => `"${name}"`).join(', ')} of "storage.config" may be secret, so no file of the build keeps it. Set ${ENVIRONMENT.storageConfig}. [PR_STORAGE_FAILED]`,
	);
	return undefined;
}

export function environmentOf({ root, envFolder, mode }: Manifest): Variables {
	return readEnvironment(mode, envFolder === false ? false : resolve(root, envFolder));
}
