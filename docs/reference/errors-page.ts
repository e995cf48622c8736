import { page } from './markdown.ts';
import { load } from './read-declarations.ts';

interface CataloguedError {
	readonly title: string;
	readonly happened: string;
	readonly remedy: string;
}

/** Every error by its code, under the anchors that messages link to. */
export function errorsPage(): string {
	const catalogue = load('integration/src/errors/catalogue.json') as Readonly<
		Record<string, CataloguedError>
	>;
	const parts = Object.entries(catalogue).map(
		([name, { title, happened, remedy }]) =>
			`## ${name}\n\n**${title}.** ${happened}\n\n**What to do:** ${remedy}`,
	);
	return page({ title: 'Errors', description: 'Every error code, what happened and what to do.', order: 7 }, [
		INTRODUCTION,
		...parts,
	]);
}

const INTRODUCTION =
	'Every error has a code. It is the `code` of the error, at the end of its hint, and in brackets at the end of warnings. Codes never change.';
