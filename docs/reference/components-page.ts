import { code, page, table, values } from './markdown.ts';
import type { TypeProperty, Types } from './open-types.ts';
import { docOf } from './read-declarations.ts';

const COMPONENTS = 'integration/components/index.d.ts';
const PROPS = 'integration/dist/runtime/index.d.ts';

/** The files whose types this page shows. */
export const COMPONENT_TYPES = [COMPONENTS, PROPS];

/** Where a type is described, by its name. */
const DESCRIBED = {
	GivenLabels: '[all labels](/reference/labels/)',
	ReviewFilter: '[`ReviewFilter`](/reference/functions/#reviewfilter)',
};

export function componentsPage(types: Types): string {
	const parts = [...types.exportsOf(COMPONENTS).keys()].map((name) => {
		const rows = types.propertiesOf(PROPS, `${name}Props`).map(row);
		return `## ${code(`<${name}>`)}\n\n${table(['prop', 'description'], rows)}`;
	});
	return page({ title: 'Components', description: 'Every component and its props.', order: 2 }, [
		"Import the components from `astro-product-reviews/components`. Attributes that are not listed, such as `class` or `id`, go to a component's root element. [Add reviews to product pages](/components/product-pages/) and [The whole review section](/components/review-section/) show what each renders.",
		...parts,
	]);
}

function row({ name, type, isOptional, declaration }: TypeProperty): readonly string[] {
	const doc = declaration && docOf(declaration);
	const notes = [
		doc?.text,
		`Type: ${code(type)}${seeAlso(type)}`,
		isOptional ? doc?.default && `Default: ${values(doc.default)}` : 'Required.',
		doc?.examples[0] && `Example: ${code(doc.examples[0])}`,
	];
	return [code(name), notes.filter(Boolean).join('\n\n')];
}

function seeAlso(type: string): string {
	const found = Object.entries(DESCRIBED).find(([name]) => type.includes(name));
	return found ? `, see ${found[1]}` : '';
}
