import { block, code, page, values } from './markdown.ts';
import type { TypeProperty, Types } from './open-types.ts';
import { docOf } from './read-declarations.ts';

const COMPONENTS = 'integration/components/index.d.ts';
const PROPS = 'integration/dist/pages/index.d.ts';

/** The files whose types this page shows. */
export const COMPONENT_TYPES = [COMPONENTS, PROPS];

/** Where a type is described, by its name. */
const DESCRIBED = {
	GivenLabels: '[all labels](/reference/labels/)',
	ReviewFilter: '[`ReviewFilter`](/reference/functions/#reviewfilter)',
};

/** Components that need no token: all others show review data. */
const WITHOUT_TOKEN = new Set(['LatestReviews', 'ProductReviews', 'ReviewSchema', 'StarRating']);

export function componentsPage(types: Types): string {
	const parts = [...types.exportsOf(COMPONENTS).keys()].flatMap((name) => {
		const props = types.propertiesOf(PROPS, `${name}Props`);
		return [
			`## ${code(`<${name}>`)}`,
			WITHOUT_TOKEN.has(name) ? '' : 'Needs [a token](/reference/options/#token).',
			block(props.some(({ name }) => name === 'pid') ? `<${name} pid="p-1" />` : `<${name} />`, 'astro'),
			...props.map(describe),
		];
	});
	const frontmatter = {
		title: 'Components',
		description: 'Every component, with all its props.',
		order: 2,
		contents: 2,
	};
	return page(frontmatter, [
		'Import the components from `astro-product-reviews/components`. You can also pass any other attribute, for example `class` or `id`: it goes to the root element of the component. With an element in the slot `fallback`, you can say what a component shows where there are no reviews yet. [Choose a component](/components/choose/) shows what each of them renders.',
		...parts,
	]);
}

function describe({ name, type, isOptional, declaration }: TypeProperty): string {
	const doc = declaration && docOf(declaration);
	const facts = [
		`- **Type:** ${code(type)}${seeAlso(type)}`,
		isOptional ? doc?.default && `- **Default:** ${values(doc.default)}` : '- **Required**',
		doc?.examples[0] && `- **Example:** ${code(doc.examples[0])}`,
	];
	return [`### ${code(name)}`, facts.filter(Boolean).join('\n'), values(doc?.text ?? '')]
		.filter((part) => part !== '')
		.join('\n\n');
}

function seeAlso(type: string): string {
	const found = Object.entries(DESCRIBED).find(([name]) => type.includes(name));
	return found ? `, see ${found[1]}` : '';
}
