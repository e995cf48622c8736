import ts from 'typescript';
import { code, page, table } from './markdown.ts';
import { constant, docOf, parse, propertiesOf } from './read-declarations.ts';

/** Constants with names of environment variables: one name, or an object of names. */
const SOURCES = [
	['integration/src/constants.ts', 'ENVIRONMENT'],
	['integration/src/project/changed-products.ts', 'VARIABLES'],
	['integration/src/cli/update.ts', 'OUT_DIR'],
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
			description: 'Every environment variable that the packages read or set.',
			order: 6,
		},
		[
			"You can set `REVIEWS_` variables in the environment of the process or in your project's `.env` files. If both are set, the environment takes precedence. A running server doesn't read `.env`, so set its variables on your host.",
			table(['Variable', 'Meaning'], rows),
			'You choose the names of some other variables yourself, with the options [`webhook.deployHookEnv`](/reference/options/#webhookdeployhookenv) and [`webhook.githubTokenEnv`](/reference/options/#webhookgithubtokenenv) and with options of [`product-reviews-webhook`](/reference/commands/#product-reviews-webhook).',
		],
	);
}

function row(name: ts.Expression, documented: ts.Node): readonly string[] {
	if (!ts.isStringLiteral(name)) throw new Error(`${name.getText()} is not the name of a variable.`);
	return [code(name.text), docOf(documented).text];
}
