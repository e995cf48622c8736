import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/**
 * Removes from a package's declarations what its entry points do not lead to: whole files, and single declarations. The rest
 * keeps its text and its comments. Bundlers of declarations check types to do this; here names are enough, because no
 * declaration is global and no module exports everything of another.
 * @param {string} folder of the package
 * @param {readonly string[]} entries paths of its entry points in it
 */
export function shakeDeclarations(folder, entries) {
	const modules = new Map();
	const open = (file) => {
		if (!modules.has(file)) modules.set(file, readModule(file));
		return modules.get(file);
	};
	const need = (file, name) => {
		if (!file.endsWith('.d.ts') || !existsSync(file)) return;
		const module = open(file);
		for (const statement of module.statements) {
			if (!statement.names.has(name) || statement.needed.has(name)) continue;
			const isFirst = statement.needed.size === 0;
			statement.needed.add(name);
			if (statement.from) need(statement.from, statement.names.get(name));
			else if (isFirst) needReferences(module, statement, need);
		}
	};
	for (const entry of entries) {
		const file = join(folder, entry);
		for (const { isExported, names } of open(file).statements) {
			if (isExported) for (const name of names.keys()) need(file, name);
		}
		for (const statement of open(file).statements)
			if (statement.isAmbient) needReferences(open(file), statement, need);
	}
	for (const path of globSync('dist/**/*.d.ts', { cwd: folder })) {
		const file = join(folder, path);
		const text = entries.includes(path) || modules.has(file) ? textOf(open(file)) : '';
		if (text.trim() === '' && !entries.includes(path)) rmSync(file);
		else writeFileSync(file, text.trim() === '' ? 'export {};\n' : text);
	}
}

function needReferences(module, statement, need) {
	for (const name of statement.references) need(module.file, name);
	for (const [file, name] of statement.imported) need(file, name);
}

/** The statements of a module: which names each has, and what it refers to. */
function readModule(file) {
	const text = readFileSync(file, 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	return { file, text, statements: source.statements.flatMap((node) => readStatement(node, file) ?? []) };
}

function readStatement(node, file) {
	const common = { node, needed: new Set(), references: new Set(), imported: [], from: undefined };
	if (ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier)) {
		const from = pathOf(node.moduleSpecifier.text, file);
		const names = namesOfClause(node);
		// What comes from other packages is kept as a whole.
		return {
			...common,
			from,
			names,
			isExported: ts.isExportDeclaration(node),
			isForeign: from === undefined,
		};
	}
	if (ts.isExportDeclaration(node)) {
		const names = namesOfClause(node);
		const references = new Set(names.values());
		return { ...common, names, references, isExported: true, isForeign: false };
	}
	const { references, imported } = referencesOf(node, file);
	const isAmbient = ts.isModuleDeclaration(node);
	const isExported = ts.isExportAssignment(node) || hasModifier(node, ts.SyntaxKind.ExportKeyword);
	return { ...common, names: declaredNames(node), references, imported, isExported, isAmbient };
}

/** Names that an import or export makes, with the name in the module that they come from. */
function namesOfClause(node) {
	const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
	const names = new Map();
	if (node.importClause?.name) names.set(node.importClause.name.text, 'default');
	if (bindings?.name) names.set(bindings.name.text, '*');
	for (const { name, propertyName } of bindings?.elements ?? []) {
		names.set(name.text, (propertyName ?? name).text);
	}
	return names;
}

function declaredNames(node) {
	const isDefault = ts.isExportAssignment(node) || hasModifier(node, ts.SyntaxKind.DefaultKeyword);
	const declared = ts.isVariableStatement(node)
		? node.declarationList.declarations.map(({ name }) => name.text)
		: [node.name?.text ?? 'default', ...(isDefault ? ['default'] : [])];
	return new Map(declared.map((name) => [name, name]));
}

function hasModifier(node, kind) {
	return ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((modifier) => modifier.kind === kind);
}

function referencesOf(node, file) {
	const references = new Set();
	const imported = [];
	const visit = (child) => {
		if (ts.isIdentifier(child)) references.add(child.text);
		if (ts.isImportTypeNode(child)) {
			const from = pathOf(child.argument.literal.text, file);
			const [name] = child.qualifier?.getText().split('.') ?? [];
			if (from && name) imported.push([from, name]);
		}
		ts.forEachChild(child, visit);
	};
	visit(node);
	return { references, imported };
}

/** The declarations that a relative address leads to; `undefined` for other packages. */
function pathOf(address, file) {
	if (!address.startsWith('.')) return undefined;
	return resolve(dirname(file), address.replace(/\.js$/, '.d.ts'));
}

/** How TypeScript indents declarations. A tab is shorter. */
const INDENT = /^(?: {4})+/gm;
const SPACES = 4;

function textOf({ text, statements }) {
	return statements
		.map((statement) => {
			const { node, needed, isAmbient, isForeign, names } = statement;
			if (isForeign && names.size === 0) return node.getFullText();
			if (needed.size === 0 && !isAmbient) return '';
			return statement.from || isForeign
				? withNames(node, needed)
				: text.slice(node.getFullStart(), node.getEnd());
		})
		.join('')
		.replace(INDENT, (spaces) => '\t'.repeat(spaces.length / SPACES));
}

/** An import or export of only some of its names. */
function withNames(node, needed) {
	const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
	const elements = bindings?.elements ?? [];
	const kept = elements.filter(({ name }) => needed.has(name.text));
	if (kept.length === elements.length || kept.length === 0) return node.getFullText();
	return node
		.getFullText()
		.replace(/\{[^}]*\}/, `{ ${kept.map((element) => element.getText()).join(', ')} }`);
}
