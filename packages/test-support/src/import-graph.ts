import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a built file imports, directly and through others. */
export interface ImportGraph {
	/** Code of its own files by their paths, without comments. */
	readonly files: ReadonlyMap<string, string>;
	/** The names of everything else. */
	readonly others: ReadonlySet<string>;
}

export function importGraphOf(start: string): ImportGraph {
	const files = new Map<string, string>();
	const others = new Set<string>();
	const visit = (file: string) => {
		if (files.has(file)) return;
		const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
		files.set(file, code);
		for (const [, name = ''] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)) {
			if (name.startsWith('.')) visit(join(dirname(file), name));
			else others.add(name);
		}
	};
	visit(start);
	return { files, others };
}

/** What only Node has without an import. */
export const NODE_GLOBALS = /\bprocess\.|\bBuffer\b|\brequire\(|\b__dirname\b|\bsetImmediate\b/;
