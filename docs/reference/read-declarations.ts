import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const PACKAGES = new URL('../../packages/', import.meta.url);
const require = createRequire(import.meta.url);

/** What a comment in the source says. Texts are Markdown. */
export interface Doc {
	readonly text: string;
	readonly default: string | undefined;
	readonly examples: readonly string[];
	readonly returns: string | undefined;
	readonly throws: readonly string[];
	/** Descriptions of parameters, by name. */
	readonly params: ReadonlyMap<string, string>;
}

/** @param path of a file below `packages`. */
export function fileOf(path: string): string {
	return fileURLToPath(new URL(path, PACKAGES));
}

/**
 * Loads a built file below `packages`. Not with `import()`: Astro's loader of configuration files is closed before the hooks
 * of integrations run.
 */
export function load(path: string): Record<string, unknown> {
	return require(fileOf(path));
}

/** Parses a file below `packages`, without resolving its types. */
export function parse(path: string): ts.SourceFile {
	const file = fileOf(path);
	return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The initializer of a constant, and its statement, which has the comment. */
export function constant(source: ts.SourceFile, name: string): { value: ts.Expression; node: ts.Node } {
	for (const node of source.statements.filter(ts.isVariableStatement)) {
		const found = node.declarationList.declarations.find((one) => one.name.getText() === name);
		if (found?.initializer) return { value: withoutType(found.initializer), node };
	}
	throw new Error(`${source.fileName} has no constant ${name}.`);
}

/** The properties of an object literal, also of the one in a call such as `z.strictObject({ ... }).refine()`. */
export function propertiesOf(expression: ts.Expression): readonly ts.PropertyAssignment[] {
	if (ts.isObjectLiteralExpression(expression)) return expression.properties.filter(ts.isPropertyAssignment);
	if (!ts.isCallExpression(expression)) return [];
	const { expression: called, arguments: given } = expression;
	const isSchema = ts.isPropertyAccessExpression(called) && called.name.text === 'strictObject';
	if (!isSchema && ts.isPropertyAccessExpression(called)) return propertiesOf(called.expression);
	const literal = given.find(ts.isObjectLiteralExpression);
	return literal ? propertiesOf(literal) : [];
}

/** The comment in front of a declaration. */
export function docOf(node: ts.Node): Doc {
	const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
	const tags: readonly ts.JSDocTag[] = doc?.tags ?? [];
	const textsOf = (name: string) =>
		tags.filter(({ tagName }) => tagName.text === name).map(({ comment }) => plain(comment));
	const params = tags
		.filter(ts.isJSDocParameterTag)
		.map((tag) => [tag.name.getText(), inLines(plain(tag.comment))] as const);
	return {
		text: inLines(plain(doc?.comment)),
		default: textsOf('default').map(inLines)[0],
		examples: textsOf('example'),
		returns: textsOf('returns').map(inLines)[0],
		throws: textsOf('throws').map(inLines),
		params: new Map(params),
	};
}

/** Removes `as const` and `satisfies ...`. */
function withoutType(expression: ts.Expression): ts.Expression {
	const isTyped = ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression);
	return isTyped ? withoutType(expression.expression) : expression;
}

function plain(comment: ts.JSDoc['comment']): string {
	return (ts.getTextOfJSDocComment(comment) ?? '').replace(/\{@link (\w+)\}/g, '`$1`');
}

/** Makes each paragraph one line. */
function inLines(text: string): string {
	return text
		.split(/\n{2,}/)
		.map((paragraph) => paragraph.replaceAll('\n', ' '))
		.join('\n\n');
}
