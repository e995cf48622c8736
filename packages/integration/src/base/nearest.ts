/**
 * Finds the known word that somebody probably meant.
 * @returns `undefined` if no word is close: short words may differ in upper case only, longer ones by one or two letters.
 * @example nearest('limt', ['limit', 'sort']) // 'limit'
 */
export function nearest(given: string, known: readonly string[]): string | undefined {
	const most = given.length < 4 ? 0 : given.length < 6 ? 1 : 2;
	const wanted = given.toLowerCase();
	const similar = known.filter((word) => Math.abs(word.length - given.length) <= most);
	const distances = similar.map((word) => ({ word, distance: distanceOf(wanted, word.toLowerCase()) }));
	const [best] = distances.toSorted((a, b) => a.distance - b.distance);
	return best && best.distance <= most ? best.word : undefined;
}

/** Counts the letters to add, remove or replace, after Levenshtein. */
function distanceOf(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [index, letter] of [...one].entries()) {
		const next = [index + 1];
		for (let column = 0; column < other.length; column++) {
			const replaced = (row[column] ?? 0) + (letter === other[column] ? 0 : 1);
			next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
		}
		row = next;
	}
	return row[other.length] ?? 0;
}
