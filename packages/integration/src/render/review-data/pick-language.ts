/**
 * Picks the text for the page's language: an exact match, or else another region of the language, or else English, or
 * else the first text. `undefined` if there are none.
 * @param texts by BCP 47 tag.
 * @param language BCP 47 tag of the page.
 */
export function pickLanguage<Text>(
	texts: Readonly<Record<string, Text>>,
	language: string,
): Text | undefined {
	const entries = Object.entries(texts);
	const wanted = language.toLowerCase();
	const found =
		entries.find(([tag]) => tag.toLowerCase() === wanted) ??
		entries.find(([tag]) => baseOf(tag) === baseOf(wanted)) ??
		entries.find(([tag]) => baseOf(tag) === 'en') ??
		entries[0];
	return found?.[1];
}

function baseOf(tag: string): string | undefined {
	return tag.toLowerCase().split('-', 1)[0];
}
