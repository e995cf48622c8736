import { readFileSync } from 'node:fs';

/** Reads a file of the package's folder `assets`. */
export function readAsset(name: string): Buffer {
	return readFileSync(new URL(`../assets/${name}`, import.meta.url));
}

/** Fills the places of a template, such as `{main}`. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
