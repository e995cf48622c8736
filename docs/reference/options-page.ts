import { block, code, page, values } from './markdown.ts';
import type { Types } from './open-types.ts';
import { constant, type Doc, docOf, parse, propertiesOf } from './read-declarations.ts';

const SCHEMAS = 'integration/src/options/';
const TYPES = 'integration/dist/options/schema.d.ts';
const ID_TYPE = 'integration/dist/text/product-id.d.ts';

/** Options that are objects: the file and the name of their own schema. */
const NESTED: Readonly<Record<string, readonly [file: string, name: string]>> = {
	onDemand: ['schema.ts', 'onDemandSchema'],
	storage: ['storage.ts', 'storageSchema'],
	webhook: ['webhook.ts', 'webhookSchema'],
	feeds: ['feeds.ts', 'feedsSchema'],
	'feeds.productRatings': ['feeds.ts', 'productRatingsSchema'],
};

/** The files whose types this page shows. */
export const OPTION_TYPES = [TYPES, ID_TYPE];

/** The options of an option, and theirs. */
function ownOf(name: string): string[] {
	const nested = NESTED[name];
	if (!nested) return [];
	return optionsOf(...nested).flatMap((one) => {
		const full = `${name}.${one.name}`;
		return [option('###', full, one.doc), ...ownOf(full)];
	});
}

export function optionsPage(types: Types): string {
	const typeOf = new Map(
		types.propertiesOf(TYPES, 'ProductReviewsUserOptions').map(({ name, type }) => [name, type]),
	);
	const parts = optionsOf('schema.ts', 'optionsSchema').flatMap(({ name, doc }) => {
		if (name === 'labels') return [option('##', name, doc), 'See [Labels](/reference/labels/).'];
		if (!NESTED[name]) return [option('##', name, doc, typeOf.get(name))];
		return [option('##', name, doc), ...ownOf(name)];
	});
	return page(
		{
			title: 'Options',
			description: 'Every option of productReviews(), with its default and unit.',
			order: 1,
		},
		[
			'Options of `productReviews()` in the Astro configuration. All of them are optional. Durations are milliseconds, or a string with a unit: `500ms`, `10s`, `5m`, `1h` or `30d`.',
			...parts,
			'## Types of products',
			block(
				[
					alias(types, ID_TYPE, 'ProductId'),
					alias(types, TYPES, 'ProductList'),
					alias(types, TYPES, 'ProductSource'),
				].join(';\n'),
			),
		],
	);
}

function optionsOf(file: string, schema: string): { name: string; doc: Doc }[] {
	const { value } = constant(parse(SCHEMAS + file), schema);
	return propertiesOf(value).map((property) => ({ name: property.name.getText(), doc: docOf(property) }));
}

function option(level: string, name: string, doc: Doc, type?: string): string {
	const facts = [
		type && `- **Type:** ${code(type)}`,
		doc.default && `- **Default:** ${values(doc.default)}`,
		...doc.examples.map((example) => `- **Example:** ${code(example)}`),
	];
	return [`${level} ${code(name)}`, values(doc.text), facts.filter(Boolean).join('\n')]
		.filter((part) => part !== '')
		.join('\n\n');
}

function alias(types: Types, file: string, name: string): string {
	return types.declarationOf(file, name).getText().replace('export ', '').replace(/;$/, '');
}
