import ts from 'typescript';
import { block, code, page, table, values } from './markdown.ts';
import type { Types } from './open-types.ts';
import { docOf } from './read-declarations.ts';

const VIRTUAL = 'integration/virtual.d.ts';
const INDEX = 'integration/dist/index.d.ts';
const RUNTIME = 'integration/dist/pages/index.d.ts';
const UPDATE = 'integration/dist/update/index.d.ts';

/** What users import from the package: the module, the file of its types, and the name. */
const IMPORTS = [
	['astro-product-reviews', INDEX, 'default'],
	['astro-product-reviews/update', UPDATE, 'updateReviews'],
	['astro-product-reviews/loader', 'integration/dist/astro/reviews-loader.d.ts', 'reviewsLoader'],
	['astro-product-reviews/live-loader', 'integration/dist/astro/live-loader.d.ts', 'liveReviewsLoader'],
	['astro-product-reviews/sitemap', 'integration/dist/astro/sitemap.d.ts', 'reviewsLastModified'],
	['astro-product-reviews/labels', 'integration/dist/render/labels/index.d.ts', 'labels'],
] as const;

/** Objects that functions take and return, by the file that exports their types. */
const OBJECTS: readonly (readonly [file: string, names: readonly string[]])[] = [
	[RUNTIME, ['ProductReviews', 'Review', 'StatedReview', 'AggregateRating', 'RatingFields']],
	[
		RUNTIME,
		['ReviewData', 'ReviewMediaItem', 'ProductQuestion', 'ReviewTopic', 'TopicSummary', 'ReviewFilter'],
	],
	[INDEX, ['ReviewProvider', 'ProviderOptions', 'ProviderReviews', 'ProviderReview']],
	[INDEX, ['ProviderAggregate', 'ProviderRating', 'ProviderQuestion', 'ProviderTopic']],
	[UPDATE, ['UpdateReviewsOptions', 'UpdateResult', 'PageToRebuild', 'FailedProduct']],
];

/** Longer signatures, such as of all labels, help nobody. */
const LONGEST_SIGNATURE = 400;

/** The files whose types this page shows. */
export const FUNCTION_TYPES = [VIRTUAL, RUNTIME, ...IMPORTS.map(([, file]) => file)];

export function functionsPage(types: Types): string {
	const virtual = types.moduleIn(VIRTUAL, 'virtual:product-reviews').filter(ts.isFunctionDeclaration);
	const imports = IMPORTS.flatMap(([module, file, name], index) => [
		...(IMPORTS[index - 1]?.[0] === module ? [] : [`## ${code(module)}`]),
		describe(types.declarationOf(file, name)),
	]);
	const objects = OBJECTS.flatMap(([file, names]) => names.map((name) => fields(types, file, name)));
	return page(
		{
			title: 'Functions',
			description: 'Every function that you can import, with its parameters and the data that it returns.',
			order: 4,
		},
		[
			`## ${code('virtual:product-reviews')}`,
			'You can import these functions in your pages. [Your own markup](/components/own-markup/) shows how to use them.',
			...virtual.map(describe),
			...imports,
			'## Objects',
			...objects,
		],
	);
}

function describe(declaration: ts.Node): string {
	// The comment of a constant is that of its statement.
	const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
	const doc = docOf(node);
	const signature = node
		.getText()
		.replace(/^(?:(?:export|default|declare) )+/, '')
		.replace(/;$/, '')
		// A list of parameters that only the width of its file broke into lines.
		.replace(/\(\n\s*([^{}()]*?),?\s*\)/, (_, params: string) => `(${params.replaceAll(/\s+/g, ' ')})`);
	const name = /(?:function|const) (\w+)/.exec(signature)?.[1] ?? '';
	const facts = [
		...[...doc.params].map(([param, text]) => `- ${code(param)}: ${text}`),
		doc.returns && `- Returns ${doc.returns}`,
		...doc.throws.map((text) => `- Throws ${text.replace(/^\w+/, code)}`),
	];
	return [
		`### ${code(name)}`,
		signature.length > LONGEST_SIGNATURE ? '' : block(signature),
		values(doc.text),
		facts.filter(Boolean).join('\n'),
		...doc.examples.map((example) => block(example)),
	]
		.filter((part) => part !== '')
		.join('\n\n');
}

function fields(types: Types, file: string, name: string): string {
	const rows = types.propertiesOf(file, name).map(({ name: field, type, declaration }) => {
		const doc = declaration && docOf(declaration);
		const notes = [doc?.text, doc?.default && `Default: ${values(doc.default)}`];
		return [code(field), code(type), notes.filter(Boolean).join('\n\n')];
	});
	const { text } = docOf(types.declarationOf(file, name));
	return `### ${code(name)}\n\n${text}\n\n${table(['Field', 'Type', 'Description'], rows)}`;
}
