import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroConfig } from 'astro';
import type { Variables } from '../providers/load-provider.js';

/**
 * Writes a module with the variables of a provider, and with its `import.meta.env`, as Astro has it on servers.
 * @param fixed values that are the same wherever the bundle runs.
 */
export function variablesModule(fixed: Readonly<Record<string, unknown>>): string {
	return `export const variables = globalThis[Symbol.for('astro-product-reviews.provider-variables')].get(import.meta.filename);
export default { ...variables, ...${JSON.stringify(fixed)} };`;
}

/** Writes the modules `astro:env/server` and `astro:env/client`. Only variables that are imported need a valid value. */
export function environmentModule(schema: AstroConfig['env']['schema'], variables: string): string {
	const fields = Object.entries(schema).map(
		([name, field]) => `export const ${name} = /* @__PURE__ */ read('${name}', ${JSON.stringify(field)});\n`,
	);
	return `import { variables } from '${variables}';
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
export function bindMeta(code: string, path: string, variables: string): string {
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
	return hasEnvironment ? `import __reviewsEnvironment from '${variables}'; ${bound}` : bound;
}
