import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestOf } from '../cache/values.js';
import type { Facts } from '../render/fragment.js';

/** A fragment as a page shows it, without its address, and the version of the data that it was written from. */
export interface WrittenFragment {
	readonly html: string;
	readonly facts: readonly Facts[];
	readonly version: string | undefined;
	readonly digest: string;
}

/**
 * The html of one page's fragments, so that a build need not render again what the last one rendered from the same data. It
 * counts as long as the generation is the same: the code, the settings and Node.
 */
export class PageHtml {
	#hasNews = false;
	readonly #before: ReadonlyMap<string, WrittenFragment>;
	readonly #now = new Map<string, WrittenFragment>();

	/**
	 * @param text what {@link PageHtml.toText} wrote
	 * @param isOpened whether it was written in this build, so that the page goes on showing it
	 */
	constructor(text: string | undefined, generation: string, isOpened = false) {
		this.#before = readText(text, generation);
		if (isOpened) for (const [name, fragment] of this.#before) this.#now.set(name, fragment);
	}

	find(pid: string, key: string, version: string | undefined): WrittenFragment | undefined {
		const name = `${pid} ${key}`;
		const found = this.#now.get(name) ?? this.#before.get(name);
		if (version === undefined || found?.version !== version) return undefined;
		this.#now.set(name, found);
		return found;
	}

	/** Whether the page shows something that is not kept, or no longer shows all that is. */
	get hasNews(): boolean {
		return this.#hasNews || this.#now.size < this.#before.size;
	}

	add(pid: string, key: string, fragment: WrittenFragment): void {
		this.#hasNews = true;
		this.#now.set(`${pid} ${key}`, fragment);
	}

	/** One line about the fragments, and their html, which JSON would only escape. */
	toText(generation: string): string {
		const head = [...this.#now].map(([name, { html, ...known }]) => ({
			name,
			length: html.length,
			...known,
		}));
		const texts = [...this.#now.values()].map(({ html }) => html);
		return `${JSON.stringify({ generation, fragments: head })}\n${texts.join('')}`;
	}
}

interface Head {
	readonly generation: string;
	readonly fragments: readonly (Omit<WrittenFragment, 'html'> & {
		readonly name: string;
		readonly length: number;
	})[];
}

function readText(text = '', generation: string): ReadonlyMap<string, WrittenFragment> {
	const known = new Map<string, WrittenFragment>();
	let start = text.indexOf('\n') + 1;
	const head = start > 0 ? (JSON.parse(text.slice(0, start)) as Head) : undefined;
	if (head?.generation !== generation) return known;
	for (const { name, length, ...fragment } of head.fragments) {
		known.set(name, { ...fragment, html: text.slice(start, start + length) });
		start += length;
	}
	return known;
}

const OWN_CODE = fileURLToPath(import.meta.url).replace(/^(.*[\\/](?:dist|src)[\\/]).*$/, '$1');

/**
 * Names everything but the data that decides about html: whoever changes a renderer, even in place, sees it in the next build,
 * and another Node may write dates in another way.
 */
export function generationOf(settings: unknown, folder: string = OWN_CODE): string {
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const code = names
		.filter((name) => /\.(?:js|ts|json)$/.test(name) && !name.endsWith('.d.ts'))
		.toSorted()
		.map((name) => digestOf(readFileSync(join(folder, name))));
	return digestOf(JSON.stringify([code, settings, process.version]));
}
