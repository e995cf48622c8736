import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Driver } from 'unstorage';
import { ProductReviewsConfigurationError } from '../errors.js';

/** Creates a driver with its options. */
type CreateDriver = (config: Readonly<Record<string, unknown>>) => Driver;

/**
 * Imports a driver from this package, since `unstorage` may not be a dependency of the project; otherwise from the project.
 * @param root folder of the project.
 * @throws ProductReviewsConfigurationError if there is no such driver.
 */
export async function importDriver(entrypoint: string, root: string): Promise<CreateDriver> {
	// Node would run what is in a `data:` address.
	if (/^(?!file:)[a-z][a-z\d+.-]+:/i.test(entrypoint)) throw unusable(entrypoint, 'is an address.');
	const found = isAbsolute(entrypoint) ? pathToFileURL(entrypoint).href : entrypoint;
	let module: { readonly default?: unknown };
	try {
		module = await import(found).catch((error) => importFromProject(found, root, error));
	} catch (cause) {
		throw unusable(entrypoint, `cannot be loaded: ${describe(cause)}`, cause);
	}
	if (typeof module.default === 'function') return module.default as CreateDriver;
	throw unusable(entrypoint, 'does not export a driver by default.');
}

async function importFromProject(entrypoint: string, root: string, error: unknown): Promise<never> {
	if (!/^[@\w]/.test(entrypoint) || entrypoint.startsWith('file:')) throw error;
	let path: string;
	try {
		path = createRequire(join(root, 'package.json')).resolve(entrypoint);
	} catch {
		throw error;
	}
	return import(pathToFileURL(path).href) as Promise<never>;
}

function describe(cause: unknown): string {
	return cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause);
}

function unusable(entrypoint: string, what: string, cause?: unknown): ProductReviewsConfigurationError {
	return new ProductReviewsConfigurationError(
		'PR_STORAGE_DRIVER',
		`The driver "${entrypoint}" of the option "storage" ${what}`,
		'Use the name of a driver of unstorage, such as "redis", and install the packages that the driver needs.',
		{ cause },
	);
}
