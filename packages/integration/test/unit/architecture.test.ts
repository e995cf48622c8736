import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { sourceFilesIn, tooLongIn } from 'product-reviews-test-support/code-size';
import { describe, expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');
const PICTURE = join(import.meta.dirname, '../../../../docs/src/content/docs/project/architecture.md');

/** Rooms that every other room may import. Their arrows are not drawn. */
const GROUND = new Set(['text', 'collections', 'errors', 'constants', 'version']);

interface Import {
	readonly from: string;
	readonly to: string;
}

const files = sourceFilesIn(SOURCE);
const imports: readonly Import[] = files.flatMap((from) =>
	[...readFileSync(join(SOURCE, from), 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)]
		.map(([, name = '']) => normalize(join(dirname(from), name)).replace(/\.js$/, '.ts'))
		.filter((to) => files.includes(to))
		.map((to) => ({ from, to })),
);
const roomOf = (file: string) => file.split(/[\\/]/)[0]?.replace(/\.ts$/, '') ?? '';

/** Arrows between rooms, from the actual imports. */
const arrows = [
	...new Set(
		imports
			.map(({ from, to }) => [roomOf(from), roomOf(to)] as const)
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
		const rooms = new Set(files.map(roomOf).filter((room) => !GROUND.has(room)));
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

test('no files import each other in a circle, types included', () => {
	expect(findCircle()).toBeUndefined();
});

test.each(files)('%s is short enough to read at once', (file) => {
	expect(tooLongIn(SOURCE, file)).toEqual([]);
});
