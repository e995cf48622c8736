import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { sourceFilesIn, tooLongIn } from 'product-reviews-test-support/code-size';
import { describe, expect, test } from 'vitest';

const PACKAGES = join(import.meta.dirname, '../../..');
const PICTURE = join(PACKAGES, '../docs/src/content/docs/project/architecture.md');

/** Rooms that every other room may import. Their arrows are not drawn. */
const GROUND = new Set(['text', 'collections', 'errors', 'constants', 'version']);
/** What the commands may import of the integration, in a file for each room. */
const INTERNAL = 'astro-product-reviews/internal/';

interface Import {
	readonly from: string;
	readonly to: string;
}

/** The source folder of each file. The two packages have no room in common. */
const folders = new Map(
	['integration', 'cli']
		.map((name) => join(PACKAGES, name, 'src'))
		.flatMap((folder) => sourceFilesIn(folder).map((file) => [file, folder] as const)),
);
const files = [...folders.keys()];

const readSource = (file: string) => readFileSync(join(folders.get(file) ?? '', file), 'utf8');
const imports: readonly Import[] = files.flatMap((from) =>
	[...readSource(from).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)]
		.map(([, name = '']) =>
			name.startsWith(INTERNAL)
				? join('internal', `${name.slice(INTERNAL.length)}.ts`)
				: normalize(join(dirname(from), name)).replace(/\.js$/, '.ts'),
		)
		.filter((to) => files.includes(to))
		.map((to) => ({ from, to })),
);
const roomOf = (file: string) => file.split(/[\\/]/)[0]?.replace(/\.ts$/, '') ?? '';

/** What a file really imports, where it imports a list of what the integration lends to the commands. */
const behind = (file: string) =>
	roomOf(file) === 'internal' ? imports.filter(({ from }) => from === file).map(({ to }) => to) : [file];

/** Arrows between rooms, from the actual imports. */
const arrows = [
	...new Set(
		imports
			.filter(({ from }) => roomOf(from) !== 'internal')
			.flatMap(({ from, to }) => behind(to).map((file) => [roomOf(from), roomOf(file)] as const))
			.filter(([from, to]) => from !== to && !GROUND.has(to) && !GROUND.has(from))
			.map(([from, to]) => `${from} --> ${to}`),
	),
];

/** Reads the picture: the floor of each room, counted from the top, and the arrows. */
function readPicture() {
	const [, picture = ''] = readFileSync(PICTURE, 'utf8').match(/```mermaid\n([\s\S]*?)```/) ?? [];
	const floors = new Map<string, number>();
	const drawn: string[] = [];
	let floor = 0;
	for (const line of picture.split('\n').map((text) => text.trim())) {
		if (line.startsWith('subgraph')) floor += 1;
		const [from = '', targets] = line.split(' --> ');
		if (targets) for (const to of targets.split(' & ')) drawn.push(`${from} --> ${to}`);
		else if (/^[a-z-]+$/.test(line) && line !== 'end') floors.set(line, floor);
	}
	return { floors, drawn };
}

/** The first circle of imports between files; `undefined` if there is none. */
function findCircle(): readonly string[] | undefined {
	const done = new Set<string>();
	const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
		if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
		if (done.has(file)) return undefined;
		for (const { to } of imports.filter(({ from }) => from === file)) {
			const circle = visit(to, [...path, file]);
			if (circle) return circle;
		}
		done.add(file);
		return undefined;
	};
	for (const file of files) {
		const circle = visit(file, []);
		if (circle) return circle;
	}
	return undefined;
}

describe('the picture of the architecture', () => {
	const { floors, drawn } = readPicture();

	test('shows every room', () => {
		const rooms = new Set(files.map(roomOf).filter((room) => room !== 'internal' && !GROUND.has(room)));
		expect([...floors.keys()].sort()).toEqual([...rooms].sort());
	});

	test('shows every arrow between rooms, and no other', () => {
		expect(drawn.toSorted()).toEqual(arrows.toSorted());
	});

	test.each(drawn)('%s points down', (arrow) => {
		const [from = '', to = ''] = arrow.split(' --> ');
		expect(floors.get(to) ?? 0).toBeGreaterThan(floors.get(from) ?? 0);
	});
});

test('the ground floor imports nothing from above', () => {
	const upwards = imports.filter(({ from, to }) => GROUND.has(roomOf(from)) && !GROUND.has(roomOf(to)));
	expect(upwards).toEqual([]);
});

test('the integration imports nothing of the commands', () => {
	const ofCommands = (file: string) => folders.get(file) !== folders.get('index.ts');
	expect(imports.filter(({ from, to }) => !ofCommands(from) && ofCommands(to))).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
	expect(findCircle()).toBeUndefined();
});

test.each(files)('%s is short enough to read at once', (file) => {
	expect(tooLongIn(folders.get(file) ?? '', file)).toEqual([]);
});
