import { globSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { stagePackage } from './stage-package.mjs';

/** Below the workspace's packages, so that declarations find those that they need. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.checked-package', import.meta.url));

/** What is wrong with the types of a package as it is published, such as a name that staging removed. */
export function declarationProblems(directory) {
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER);
	try {
		stagePackage(fileURLToPath(new URL(`../../${directory}`, import.meta.url)), FOLDER);
		const files = globSync('{*,dist/**/*}.d.ts', { cwd: FOLDER }).map((path) => join(FOLDER, path));
		const program = ts.createProgram(files, {
			module: ts.ModuleKind.NodeNext,
			moduleResolution: ts.ModuleResolutionKind.NodeNext,
			lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
			types: ['node'],
			strict: true,
			noEmit: true,
		});
		return files.flatMap((file) =>
			program
				.getSemanticDiagnostics(program.getSourceFile(file))
				.map(
					({ messageText }) =>
						`${file.slice(FOLDER.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
				),
		);
	} finally {
		rmSync(FOLDER, { recursive: true, force: true });
	}
}
