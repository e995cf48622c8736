import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { AstroConfig } from 'astro';
import type { AliasOptions, Plugin, Rolldown } from 'vite';
import { describeFailure } from '../base/failures.js';
import { astrosVite } from '../project/environment.js';
import {
	assertNoAddress,
	locate,
	unusableProvider,
	type Variables,
	WHICH_MODULE,
} from '../providers/load-provider.js';

/** Settings of Astro's own Vite that decide what an import means. */
export interface ViteSettings {
	readonly plugins?: readonly unknown[] | undefined;
	readonly resolve?: { readonly alias?: AliasOptions; readonly tsconfigPaths?: boolean } | undefined;
}

interface BundleContext extends Pick<AstroConfig, 'base' | 'site' | 'env'> {
	readonly root: string;
	readonly mode: string;
	readonly vite: ViteSettings;
}

/**
 * Bundles the module of the option `provider` with all that it imports of the project into one module for Node. It imports
 * packages by their full address, so it runs in any folder.
 * @returns its code, and the modules of the project in it, as absolute paths.
 * @throws ProductReviewsConfigurationError if a module is not there, or is none.
 */
export async function bundleProvider(given: string, context: BundleContext) {
	const { root, mode, vite: settings } = context;
	assertNoAddress(given, unusableProvider(given, WHICH_MODULE));
	const vite = astrosVite();
	const { alias, tsconfigPaths = true } = settings.resolve ?? {};
	const { plugin, files, problems } = collectModules(given, context);
	try {
		const built = (await vite.build({
			...{ root, mode, configFile: false, envDir: false, logLevel: 'silent' },
			// As Node resolves packages, because it loads them.
			ssr: { noExternal: true, resolve: { conditions: ['node', 'import'], mainFields: [] } },
			resolve: { tsconfigPaths, ...(alias && { alias }) },
			plugins: [plugin, ...pluginsIn(settings.plugins).filter(({ name }) => name === TSCONFIG_PATHS)],
			build: {
				...{ ssr: true, write: false, minify: false, target: 'node22', copyPublicDir: false },
				sourcemap: 'inline',
				rollupOptions: {
					input: ENTRY,
					output: {
						...('rolldownVersion' in vite ? { codeSplitting: false } : { inlineDynamicImports: true }),
						sourcemapPathTransform: (source, map) => resolve(dirname(map), source),
					},
				},
			},
		})) as Rolldown.RolldownOutput;
		return { code: built.output[0].code, files };
	} catch (error) {
		const [first] = (error as { readonly errors?: readonly unknown[] }).errors ?? [];
		// Those of esbuild, in Vite 7, are none.
		const cause = first instanceof Error ? first : error;
		const [problem = describe(cause as BundleError, root)] = problems;
		throw unusableProvider(given, problem === MISSING ? WHICH_MODULE : undefined)(problem, { cause });
	}
}

const MISSING = 'cannot be found.';

/** Astro's own for the `paths` of a tsconfig.json. Before Astro 7, Vite has no option for these. */
const TSCONFIG_PATHS = 'astro:tsconfig-alias';

const pluginsIn = (plugins: readonly unknown[] = []) =>
	(plugins.flat(Number.POSITIVE_INFINITY) as (Plugin | false | null | undefined)[]).filter(
		(plugin) => !!plugin,
	);

const ENTRY = '\0product-reviews-provider';
const VARIABLES = '\0product-reviews-variables';
const ENVIRONMENT = '\0product-reviews-environment';

/** Matches what Node can load from a package. */
const IN_PACKAGE = /[\\/]node_modules[\\/].*\.(?:[cm]?js|node)$/;

function collectModules(given: string, { root, mode, base, site, env }: BundleContext) {
	const files: string[] = [];
	const problems: string[] = [];
	const isDev = process.env['NODE_ENV'] === 'development';
	const fixed = { MODE: mode, DEV: isDev, PROD: !isDev, SSR: true, BASE_URL: base, SITE: site };
	const path = locate(given, root);
	const modules: Readonly<Record<string, string>> = {
		// A module without a default export is described later.
		[ENTRY]: `import * as module from ${JSON.stringify(path)};\nexport default module.default;\n`,
		[VARIABLES]: variablesModule(fixed),
		[ENVIRONMENT]: environmentModule(env.schema),
	};
	const plugin: Plugin = {
		name: 'astro-product-reviews:provider-bundle',
		enforce: 'pre',
		async resolveId(id, importer, options) {
			if (modules[id] !== undefined) return id;
			if (/^astro:env\/(?:server|client)$/.test(id)) return ENVIRONMENT;
			if (id.startsWith('file:')) return { id, external: true };
			if (id.startsWith('\0') || importer === undefined) return null;
			// As if the project's root imported the provider.
			const from = importer === ENTRY ? join(root, 'index.js') : importer;
			const found = await this.resolve(id, from, { ...options, skipSelf: true });
			if (found && IN_PACKAGE.test(found.id)) return { id: pathToFileURL(found.id).href, external: true };
			if (!found && importer === ENTRY) problems.push(MISSING);
			else if (!found && isAbsolute(importer)) problems.push(unresolved(id, importer, root));
			return found;
		},
		load: (id) => modules[id] ?? null,
		transform(code, id) {
			const [file = ''] = id.split('?', 1);
			if (!isAbsolute(file)) return null;
			files.push(file);
			if (id.endsWith('.json')) problems.push(...problemOfJson(code, file, root));
			return { code: bindMeta(code, file), map: null };
		},
	};
	return { plugin, files, problems };
}

/**
 * Writes a module with the variables of a provider, and with its `import.meta.env`, as Astro has it on servers.
 * @param fixed values that are the same wherever the bundle runs.
 */
function variablesModule(fixed: Readonly<Record<string, unknown>>): string {
	return `export const variables = globalThis[Symbol.for('astro-product-reviews.provider-variables')].get(import.meta.filename);
export default { ...variables, ...${JSON.stringify(fixed)} };`;
}

/** Writes the modules `astro:env/server` and `astro:env/client`. Only variables that are imported need a valid value. */
function environmentModule(schema: AstroConfig['env']['schema']): string {
	const fields = Object.entries(schema).map(
		([name, field]) => `export const ${name} = /* @__PURE__ */ read('${name}', ${JSON.stringify(field)});\n`,
	);
	return `import { variables } from '${VARIABLES}';
import { getEnvFieldType, validateEnvVariable } from '${import.meta.resolve('astro/env/runtime')}';
export const getSecret = (name) => variables[name];
function read(name, field) {
	const result = validateEnvVariable(variables[name] || undefined, field);
	if (result.ok) return result.value;
	const problem = result.errors.map((error) => (error === 'type' ? 'not of the type ' + getEnvFieldType(field) : error)).join(', ');
	throw new Error('the variable ' + name + ' of "env.schema" is ' + problem);
}
${fields.join('')}`;
}

const META = /\bimport\.meta\.(?:(env)|url|dirname|filename)\b/g;

/** Has the code of a module find its own file, and the environment, from within a bundle. Its lines stay where they are. */
function bindMeta(code: string, path: string): string {
	const places: Variables = {
		'import.meta.url': pathToFileURL(path).href,
		'import.meta.dirname': dirname(path),
		'import.meta.filename': path,
	};
	let hasEnvironment = false;
	const bound = code.replace(META, (found, env?: string) => {
		hasEnvironment ||= env !== undefined;
		return env ? '__reviewsEnvironment' : JSON.stringify(places[found]);
	});
	return hasEnvironment ? `import __reviewsEnvironment from '${VARIABLES}'; ${bound}` : bound;
}

/** Vite's own error does not name the file. */
function problemOfJson(code: string, file: string, root: string): string[] {
	try {
		JSON.parse(code);
		return [];
	} catch (error) {
		return [`cannot be bundled: ${describeFailure(error)} (${relative(root, file)}).`];
	}
}

function unresolved(id: string, importer: string, root: string): string {
	const [file = ''] = importer.split('?', 1);
	const lines = readFileSync(file, 'utf8').split('\n');
	const line = lines.findIndex((text) => text.includes(id)) + 1;
	return `imports "${id}", which cannot be found (${relative(root, file)}:${line || 1}).`;
}

interface BundleError extends Error {
	readonly id?: string;
	readonly loc?: { readonly file?: string; readonly line: number };
}

/** Says what is wrong with a module, in which file and where. */
function describe({ message, id, loc }: BundleError, root: string): string {
	const text = stripVTControlCharacters(message);
	const [line = ''] = text.replace(/^(?:\[[^\]]+\] )+/, '').split('\n', 1);
	// esbuild begins with the number of errors.
	const [, reason = line] = /: ERROR: (.+)/.exec(text) ?? [];
	// Some errors name the file only in their text, relative to the working directory.
	const [, named] = /\[ (.+?):\d+:\d+ \]/.exec(text) ?? [];
	const file = id ?? loc?.file ?? named;
	const place = file && ` (${isAbsolute(file) ? relative(root, file) : file}${loc ? `:${loc.line}` : ''})`;
	return `cannot be bundled: ${reason}${place ?? ''}.`;
}
