import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';

const PACKAGES = join(import.meta.dirname, '../../..');
const PICTURE = join(PACKAGES, '../docs/src/content/docs/project/architecture.md');

/** Rooms that every other room may import. They are not drawn. */
const GROUND = ['text', 'collections', 'errors', 'constants', 'version'];
const GROUND_FLOOR = Number.POSITIVE_INFINITY;
/** Sources of the integration, by their path below `src`. */
const folder = join(PACKAGES, 'integration/src');
const sources = new Map(
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')] as const),
);
const roomOf = (file: string) => file.split('/')[0]?.replace(/\.ts$/, '') ?? '';

/** The files that a file imports, types included. */
function importsOf(file: string): string[] {
	const names = [...(sources.get(file) ?? '').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)];
	return names
		.map(([, name = '']) => posix.join(dirname(file), name).replace(/\.js$/, '.ts'))
		.filter((path) => sources.has(path));
}

/** The floor of each room of the picture, counted from the top; the ground is below all. */
function readFloors(): Map<string, number> {
	const [, picture = ''] = readFileSync(PICTURE, 'utf8').match(/```mermaid\n([\s\S]*?)```/) ?? [];
	const rooms = picture.split('subgraph').flatMap((floor, number) =>
		floor
			.split('\n')
			.map((line) => line.trim())
			.filter((line) => /^[a-z-]+$/.test(line) && line !== 'end')
			.map((room): [string, number] => [room, number]),
	);
	return new Map([...rooms, ...GROUND.map((room): [string, number] => [room, GROUND_FLOOR])]);
}

test('imports lead down the floors of the documented picture, or stay in their room', () => {
	const floors = readFloors();
	const floorOf = (file: string) => floors.get(roomOf(file)) ?? Number.NaN;
	const isAllowed = (from: string, to: string) =>
		roomOf(to) === roomOf(from) || floorOf(to) === GROUND_FLOOR || floorOf(to) > floorOf(from);
	const arrows = [...sources.keys()].flatMap((from) => importsOf(from).map((to) => [from, to] as const));
	expect(arrows.length).toBeGreaterThan(500);
	expect(arrows.filter(([from, to]) => !isAllowed(from, to))).toEqual([]);
});
