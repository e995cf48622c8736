const REFERENCES: Readonly<Record<string, string>> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&apos;': "'",
	'&#39;': "'",
	'&#x27;': "'",
	'&#34;': '"',
};

/**
 * Text with the usual character references decoded, each once. `undefined` where it holds another `&`: html knows more
 * than two thousand of them, some without a semicolon, and only a parser reads those right.
 */
export function decodeReferences(text: string): string | undefined {
	if (!text.includes('&')) return text;
	let isKnown = true;
	const decoded = text.replace(/&[#a-z0-9]{0,5};?/g, (reference) => {
		const character = REFERENCES[reference];
		if (character === undefined) isKnown = false;
		return character ?? '';
	});
	return isKnown ? decoded : undefined;
}
