import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { page } from './markdown.ts';
import { fileOf } from './read-declarations.ts';

const CATALOGUE = 'integration/dist/failures/error-catalogue.js';

interface CataloguedError {
	readonly title: string;
	/** What happened. */
	readonly happened: string;
	/** What to do. */
	readonly todo: string;
}

/** Every error by its code; `undefined` if the package has no catalogue. */
export async function errorsPage(): Promise<string | undefined> {
	const file = fileOf(CATALOGUE);
	if (!existsSync(file)) return undefined;
	const { ERROR_CATALOGUE } = await import(pathToFileURL(file).href);
	const parts = Object.entries<CataloguedError>(ERROR_CATALOGUE).map(
		([code, { title, happened, todo }]) => `## ${code}\n\n**${title}** ${happened}\n\n**What to do:** ${todo}`,
	);
	return page({ title: 'Errors', description: 'Every error code, what happened and what to do.', order: 7 }, parts);
}
