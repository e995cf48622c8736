import ts from 'typescript';
import { fileOf } from './read-declarations.ts';

/** A property of a type. */
export interface TypeProperty {
	readonly name: string;
	readonly type: string;
	readonly isOptional: boolean;
	readonly declaration: ts.Declaration | undefined;
}

/** The types of the built packages. Paths are below `packages`. */
export interface Types {
	/** What a file exports, by name. */
	exportsOf(path: string): ReadonlyMap<string, ts.Symbol>;
	/** The declaration that a file exports by this name. */
	declarationOf(path: string, name: string): ts.Declaration;
	/** The statements of a module that a file declares. */
	moduleIn(path: string, name: string): readonly ts.Statement[];
	/** The properties of an exported type, including those of all its parts. */
	propertiesOf(path: string, name: string): readonly TypeProperty[];
}

/** Resolves the types in these declaration files. */
export function openTypes(paths: readonly string[]): Types {
	const program = ts.createProgram(paths.map(fileOf), {
		module: ts.ModuleKind.NodeNext,
		moduleResolution: ts.ModuleResolutionKind.NodeNext,
		target: ts.ScriptTarget.ES2023,
		strict: true,
		skipLibCheck: true,
		types: [],
	});
	const checker = program.getTypeChecker();

	function exportsOf(path: string) {
		const source = program.getSourceFile(fileOf(path));
		const symbol = source && checker.getSymbolAtLocation(source);
		if (!symbol) throw new Error(`${path} is missing. Run "npm run build" first.`);
		const found = checker.getExportsOfModule(symbol);
		return new Map(found.map((one) => [one.name, original(checker, one)]));
	}

	function exported(path: string, name: string): ts.Symbol {
		const symbol = exportsOf(path).get(name);
		if (!symbol) throw new Error(`${path} does not export ${name}.`);
		return symbol;
	}

	return {
		exportsOf,
		declarationOf(path, name) {
			const [declaration] = exported(path, name).declarations ?? [];
			if (!declaration) throw new Error(`${name} of ${path} is declared nowhere.`);
			return declaration;
		},
		moduleIn(path, name) {
			const modules = program.getSourceFile(fileOf(path))?.statements.filter(ts.isModuleDeclaration);
			const body = modules?.find((one) => one.name.text === name)?.body;
			if (!body || !ts.isModuleBlock(body)) throw new Error(`${path} declares no module ${name}.`);
			return body.statements;
		},
		propertiesOf(path, name) {
			const type = checker.getDeclaredTypeOfSymbol(exported(path, name));
			return checker.getPropertiesOfType(type).map((property) => ({
				name: property.name,
				type: typeText(checker, checker.getTypeOfSymbol(property), property.declarations?.[0]),
				isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
				declaration: property.declarations?.[0],
			}));
		},
	};
}

function original(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
	return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/** Longer types, such as of all labels, are written by their names. */
const LONGEST_TYPE = 160;

/** A type without `undefined`. Of a union that has a name, its parts are written: they are what can be given. */
function typeText(checker: ts.TypeChecker, type: ts.Type, declaration: ts.Declaration | undefined): string {
	const given = checker.getNonNullableType(type);
	if (given.isUnion() && given.types.every((part) => part.isStringLiteral())) {
		return given.types.map(({ value }) => `'${value}'`).join(' | ');
	}
	const { NoTruncation, UseSingleQuotesForStringLiteralType, InTypeAlias } = ts.TypeFormatFlags;
	const flags = NoTruncation | UseSingleQuotesForStringLiteralType | (given.isUnion() ? InTypeAlias : 0);
	const text = checker.typeToString(given, undefined, flags).replaceAll(' | undefined', '');
	if (text.length <= LONGEST_TYPE || !declaration || !ts.isPropertySignature(declaration)) return text;
	return declaration.type?.getText().replace(/ \| undefined$/, '') ?? text;
}
