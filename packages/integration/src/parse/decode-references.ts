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
 * Decodes the common character references in a text, each once. `undefined` if it contains any other `&`: html has more than
 * two thousand references, some without a semicolon, which only a parser reads correctly.
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
