import { page } from './markdown.ts';
import { load } from './read-declarations.ts';

interface CatalogedError {
	readonly title: string;
	readonly happened: string;
	readonly remedy: string;
}

/** Every error by its code, under the anchors that messages link to. */
export function errorsPage(): string {
	const catalog = load('integration/src/cli/catalog.json') as Readonly<Record<string, CatalogedError>>;
	const parts = Object.entries(catalog).map(
		([name, { title, happened, remedy }]) =>
			`## ${name}\n\n**${title}.** ${happened}\n\n**What to do:** ${remedy}`,
	);
	return page(
		{ title: 'Error codes', description: 'Every error code, its cause, and what to do about it.', order: 7 },
		[INTRODUCTION, ...parts],
	);
}

const INTRODUCTION =
	'Every error and warning ends with a code. You can look it up here, or print its page with `npx astro-product-reviews explain PR_SERVICE_TIMEOUT`. In your own code, it is the `code` of the error. Codes never change.';
