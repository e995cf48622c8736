import { block, code, page, values } from './markdown.ts';
import type { Types } from './open-types.ts';
import { constant, type Doc, docOf, parse, propertiesOf } from './read-declarations.ts';

const SCHEMAS = 'integration/src/options/';
const TYPES = 'integration/dist/options/schema.d.ts';
const ID_TYPE = 'integration/dist/base/product-id.d.ts';

/** Options that are objects: the file and the name of their own schema. */
const NESTED: Readonly<Record<string, readonly [file: string, name: string]>> = {
	onDemand: ['schema.ts', 'onDemandSchema'],
	storage: ['storage.ts', 'storageSchema'],
	webhook: ['webhook.ts', 'webhookSchema'],
	feeds: ['feeds.ts', 'feedsSchema'],
	'feeds.productRatings': ['feeds.ts', 'productRatingsSchema'],
};

/** The groups of the page, with the names of their options. The last one has all others. */
const GROUPS = [
	['Connection', 'baseUrl wsid token provider'],
	['Catalog', 'products'],
	['Fetching', 'concurrency requestsPerSecond timeout retries'],
	['Freshness and failures', 'revalidate maxAge staleIfError onError buildTimeout'],
	['Pages', 'display authorNames writeReviewUrl ownPublishers audit feeds labels'],
	['Webhook and updates', 'webhook onDemand storage'],
	['Advanced', ''],
] as const;

/** The files whose types this page shows. */
export const OPTION_TYPES = [TYPES, ID_TYPE];

export function optionsPage(types: Types): string {
	const typeOf = new Map(
		types.propertiesOf(TYPES, 'ProductReviewsUserOptions').map(({ name, type }) => [name, type]),
	);
	const options = optionsOf('schema.ts', 'optionsSchema');
	const grouped = new Set<string>(GROUPS.flatMap(([, names]) => names.split(' ')));
	const parts = GROUPS.flatMap(([title, names]) => {
		const own =
			names === ''
				? options.filter(({ name }) => !grouped.has(name))
				: names.split(' ').flatMap((name) => options.find((one) => one.name === name) ?? []);
		return [`## ${title}`, ...own.flatMap(({ name, doc }) => describe(name, doc, typeOf.get(name)))];
	});
	return page(
		{
			title: 'Options',
			description: 'Every option of productReviews(), with its type, default, unit and an example.',
			order: 1,
		},
		[
			'Pass these options to `productReviews()` in your Astro configuration. All of them are optional. A duration is a number of milliseconds, or a string with a unit, for example `500ms`, `10s`, `5m`, `1h` or `30d`.',
			...parts,
			'## Types of products',
			'The `products` option takes all of these:',
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

/** An option, and the options inside it. */
function describe(name: string, doc: Doc, type?: string, level = '###'): string[] {
	const nested = NESTED[name];
	if (name === 'labels')
		return [option(level, name, doc), 'See [Labels](/reference/labels/) for all of them.'];
	if (!nested) return [option(level, name, doc, type)];
	const own = optionsOf(...nested).flatMap((one) =>
		describe(`${name}.${one.name}`, one.doc, undefined, '####'),
	);
	return [option(level, name, doc), ...own];
}

function optionsOf(file: string, schema: string): { name: string; doc: Doc }[] {
	const { value } = constant(parse(SCHEMAS + file), schema);
	return propertiesOf(value).map((property) => ({ name: property.name.getText(), doc: docOf(property) }));
}

function option(level: string, name: string, doc: Doc, type?: string): string {
	const facts = [
		type && `- **Type:** ${code(type)}`,
		doc.default && `- **Default:** ${values(doc.default)}`,
	].filter(Boolean);
	const examples = doc.examples.map((example) => exampleOf(name, example)).join('\n');
	return [`${level} ${code(name)}`, facts.join('\n'), values(doc.text), examples && block(examples, 'js')]
		.filter((part) => part !== '')
		.join('\n\n');
}

/** @example exampleOf('webhook.path', "'/hooks'") // "productReviews({ webhook: { path: '/hooks' } });" */
function exampleOf(name: string, value: string): string {
	const options = name.split('.').reduceRight((inner, part) => `{ ${part}: ${inner} }`, value);
	return `productReviews(${options});`;
}

function alias(types: Types, file: string, name: string): string {
	return types.declarationOf(file, name).getText().replace('export ', '').replace(/;$/, '');
}
