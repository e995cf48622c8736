import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import ts from 'typescript';

/** Maximum number of lines in a file. */
const MOST_LINES = 200;
/** Maximum number of lines in a function. */
const MOST_LINES_OF_FUNCTION = 60;

/** Paths of all TypeScript files below a folder, relative to it. */
export const sourceFilesIn = (folder: string): string[] =>
	globSync('**/*.ts', { cwd: folder }).map(normalize);

/** What is too long in a file to be read at once: the file itself, and the first line of each long function. */
export function tooLongIn(folder: string, file: string): string[] {
	const text = readFileSync(join(folder, file), 'utf8');
	const found = linesOf(text) > MOST_LINES ? [file] : [];
	const visit = (node: ts.Node) => {
		if (ts.isFunctionLike(node) && linesOf(node.getText()) > MOST_LINES_OF_FUNCTION) {
			found.push(node.getText().split('\n', 1)[0] ?? '');
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
	return found;
}

function linesOf(text: string): number {
	return text.trimEnd().split('\n').length;
}
