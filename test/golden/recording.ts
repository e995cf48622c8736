import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diff } from 'node:util';
import { readFiles } from '../../packages/integration/test/support/build/project.ts';

/** Texts by the page, report or command that they are of: names without spaces, with `/` between folders. */
export type Outputs = Record<string, string>;

/**
 * Returns how a text is kept. Nothing: whole, in a file of its own. The name of a recorded text (`shop/index.html`): as the
 * difference from it. `digest`: by its digest alone, for pages that are many and like others.
 */
type Form = (name: string) => string | undefined;

/** Holds `<site>/<name>.txt` for each whole text, and `<site>.diff` for the other ones. */
const RECORDED = fileURLToPath(new URL('recorded/', import.meta.url));

/** Where texts of which a digest is recorded stay on the machine where they passed, so that a difference can be shown. */
const PASSED = fileURLToPath(new URL('../../.vitest/golden/', import.meta.url));

/** More than these differences tell a reader no more. */
const MAX_SHOWN = { texts: 5, lines: 60 };

/** Compares with what was recorded, and fails with the lines that differ. With `GOLDEN=record` it is recorded instead. */
export function expectGolden(site: string, outputs: Outputs, form: Form = () => undefined): void {
	if (process.env['GOLDEN'] === 'record') record(site, outputs, form);
	const recorded = readRecording(site);
	const names = [...new Set([...Object.keys(recorded), ...Object.keys(outputs)])];
	const different = names
		.map((name) => ({ name, lines: compare(`${site}/${name}`, recorded[name], outputs[name]) }))
		.filter(({ lines }) => lines.length > 0);
	if (different.length === 0) return;
	const shown = different.flatMap(({ name, lines }, index) => {
		const some = index < MAX_SHOWN.texts ? lines.slice(0, MAX_SHOWN.lines) : [];
		return [`=== ${name} (${some.length} of ${lines.length} lines shown)`, ...some];
	});
	const title = `${site}: ${different.length} of ${names.length} texts differ from what is recorded`;
	throw new Error([title, ...shown].join('\n'));
}

/** Returns lines that say what differs, or none. */
function compare(path: string, recorded: string | undefined, text: string | undefined): string[] {
	if (recorded === undefined) return ['is not recorded'];
	if (text === undefined) return ['is recorded, but is no more'];
	if (!recorded.startsWith(DIGEST)) return difference(recorded, text);
	const passed = join(PASSED, `${path}.txt`);
	if (digestOf(text) === recorded) {
		write(passed, text);
		return [];
	}
	const before = existsSync(passed) ? readFileSync(passed, 'utf8') : '';
	if (digestOf(before) === recorded) return difference(before, text);
	return ['has another digest. Where this test has passed before, the lines that differ are shown.'];
}

function record(site: string, outputs: Outputs, form: Form): void {
	rmSync(join(RECORDED, site), { recursive: true, force: true });
	rmSync(join(RECORDED, `${site}.diff`), { force: true });
	const lines: string[] = [];
	// Whole ones first: others of the site may be like them.
	const order = (name: string) => `${form(name) === undefined ? 0 : 1}${name}`;
	for (const name of Object.keys(outputs).toSorted((one, other) => (order(one) < order(other) ? -1 : 1))) {
		const text = outputs[name] ?? '';
		const like = form(name);
		const base = like && readText(like);
		if (like === 'digest') lines.push(`=== ${name} ${digestOf(text)}`);
		else if (base === undefined) write(join(RECORDED, site, `${name}.txt`), `${text}\n`);
		else lines.push(`=== ${name} like ${like}`, ...difference(base, text));
	}
	if (lines.length > 0) write(join(RECORDED, `${site}.diff`), `${lines.join('\n')}\n`);
}

function readRecording(site: string): Outputs {
	const folder = join(RECORDED, site);
	const files = existsSync(folder) ? [...readFiles(folder)] : [];
	const outputs = Object.fromEntries(
		files.map(([file, bytes]) => [file.slice(0, -'.txt'.length), bytes.toString().slice(0, -1)]),
	);
	const file = join(RECORDED, `${site}.diff`);
	const parts = existsSync(file) ? readFileSync(file, 'utf8').split(/^=== /m).slice(1) : [];
	for (const part of parts) {
		const [head = '', ...lines] = part.split('\n').slice(0, -1);
		const [, name = '', like, digest = ''] = /^(\S+) (?:like (\S+)|(.+))$/.exec(head) ?? [];
		outputs[name] = like === undefined ? digest : applyDifference(like, lines);
	}
	return outputs;
}

/** Reads a recorded text. @returns nothing if there is none. */
function readText(path: string): string | undefined {
	const file = join(RECORDED, `${path}.txt`);
	if (existsSync(file)) return readFileSync(file, 'utf8').slice(0, -1);
	const [site = ''] = path.split('/', 1);
	return readRecording(site)[path.slice(site.length + 1)];
}

/** Returns the lines that differ, after `@@` and the number of the first one in the old text. */
function difference(before: string, after: string): string[] {
	const lines: string[] = [];
	let number = 1;
	let isOpen = false;
	for (const [operation, line] of diff(before.split('\n'), after.split('\n'))) {
		if (operation !== 0 && !isOpen) lines.push(`@@ ${number}`);
		if (operation !== 0) lines.push(`${operation === 1 ? '-' : '+'}${line}`);
		if (operation !== -1) number += 1;
		isOpen = operation !== 0;
	}
	return lines;
}

/** Returns the text that differs in these lines from a recorded one. @throws if that one has changed since, or is none. */
function applyDifference(like: string, lines: readonly string[]): string {
	const base = readText(like)?.split('\n');
	if (!base) throw new Error(`${like} is not recorded, but texts that differ from it are. Record all.`);
	const text: string[] = [];
	let at = 0;
	for (const line of lines) {
		const rest = line.slice(1);
		if (line.startsWith('@')) {
			const next = Number(line.slice('@@ '.length)) - 1;
			text.push(...base.slice(at, next));
			at = next;
		} else if (line.startsWith('+')) text.push(rest);
		else if (base[at++] !== rest) throw new Error(`${like}, line ${at} was not "${rest}". Record all.`);
	}
	return [...text, ...base.slice(at)].join('\n');
}

const DIGEST = 'sha256 ';

function digestOf(text: string): string {
	return DIGEST + createHash('sha256').update(text).digest('hex');
}

function write(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
