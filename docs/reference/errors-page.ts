import { existsSync } from 'node:fs';
import { page } from './markdown.ts';
import { fileOf, load } from './read-declarations.ts';

const CATALOGUE = 'integration/dist/failures/error-catalogue.js';

interface CataloguedError {
	readonly title: string;
	/** What happened. */
	readonly happened: string;
	/** What to do. */
	readonly todo: string;
}

/** Every error by its code; `undefined` if the package has no catalogue. */
export function errorsPage(): string | undefined {
	if (!existsSync(fileOf(CATALOGUE))) return undefined;
	const catalogue = load(CATALOGUE)['ERROR_CATALOGUE'] as Readonly<Record<string, CataloguedError>>;
	const parts = Object.entries(catalogue).map(
		([code, { title, happened, todo }]) =>
			`## ${code}\n\n**${title}** ${happened}\n\n**What to do:** ${todo}`,
	);
	return page(
		{ title: 'Errors', description: 'Every error code, what happened and what to do.', order: 7 },
		parts,
	);
}
