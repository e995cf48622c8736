import ts from 'typescript';
import { code, page, table } from './markdown.ts';
import { constant, docOf, parse, propertiesOf } from './read-declarations.ts';

/** Constants with names of environment variables: one name, or an object of names. */
const SOURCES = [
	['integration/src/constants.ts', 'ENVIRONMENT'],
	['integration/src/session/changed-products.ts', 'VARIABLES'],
	['integration/src/shards/shards.ts', 'SHARD'],
	['integration/src/cli/update.ts', 'OUT_DIR'],
	['integration/src/cli/update.ts', 'INDEX_NOW_ENDPOINT'],
	['integration/src/cli/snapshot.ts', 'AUTHORIZATION'],
] as const;

export function environmentPage(): string {
	const rows = SOURCES.flatMap(([file, name]) => {
		const { value, node } = constant(parse(file), name);
		if (ts.isStringLiteral(value)) return [row(value, node)];
		return propertiesOf(value).map((property) => row(property.initializer, property));
	});
	return page(
		{
			title: 'Environment variables',
			description: 'Every environment variable that is read or set.',
			order: 6,
		},
		[
			"Builds and the dev server read `REVIEWS_` variables from the process and from the project's `.env` files. The process takes precedence. A running server only reads the process.",
			table(['variable', 'meaning'], rows),
			'The options [`webhook.deployHookEnv`](/reference/options/#webhookdeployhookenv) and [`webhook.githubTokenEnv`](/reference/options/#webhookgithubtokenenv) name further variables, and so do options of [`product-reviews-webhook`](/reference/commands/#product-reviews-webhook).',
		],
	);
}

function row(name: ts.Expression, documented: ts.Node): readonly string[] {
	if (!ts.isStringLiteral(name)) throw new Error(`${name.getText()} is not the name of a variable.`);
	return [code(name.text), docOf(documented).text];
}
