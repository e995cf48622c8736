import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AstroIntegration } from 'astro';
import { commandsPage } from './commands-page.ts';
import { COMPONENT_TYPES, componentsPage } from './components-page.ts';
import { environmentPage } from './environment-page.ts';
import { errorsPage } from './errors-page.ts';
import { FUNCTION_TYPES, functionsPage } from './functions-page.ts';
import { labelsPage } from './labels-page.ts';
import { openTypes } from './open-types.ts';
import { OPTION_TYPES, optionsPage } from './options-page.ts';

const FOLDER = new URL('../src/content/docs/', import.meta.url);

/** Writes the reference pages from the built packages, before Astro reads the content. They are not committed. */
export function referencePages(): AstroIntegration {
	return {
		name: 'reference-pages',
		hooks: {
			'astro:config:setup': ({ command }) => {
				if (command === 'preview') return;
				mkdirSync(new URL('reference', FOLDER), { recursive: true });
				for (const [name, text] of Object.entries(createReferencePages())) save(`${name}.md`, text);
			},
		},
	};
}

/** The text of each page, by its path. */
export function createReferencePages(): Record<string, string> {
	const types = openTypes([...OPTION_TYPES, ...COMPONENT_TYPES, ...FUNCTION_TYPES]);
	return {
		'reference/options': optionsPage(types),
		'reference/components': componentsPage(types),
		'reference/labels': labelsPage(),
		'reference/functions': functionsPage(types),
		'reference/commands': commandsPage(),
		'reference/environment': environmentPage(),
		errors: errorsPage(),
	};
}

/** A file that stays the same is not written, so that the dev server does not read it again. */
function save(name: string, text: string): void {
	const file = new URL(name, FOLDER);
	if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
