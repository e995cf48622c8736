/** A block of code in Markdown. */
export interface CodeBlock {
	readonly language: string;
	/** What follows the language, such as `title="astro.config.mjs"`. */
	readonly meta: string;
	readonly code: string;
	/** The file of the repository that the comment before the block names: `<!-- path -->`. */
	readonly file: string | undefined;
}

const BLOCK =
	/(?:<!-- (?<file>[^\n]+?) -->\n)?^(?<fence>`{3,})(?<language>\w+)?(?<meta>[^\n]*)\n(?<code>.*?)^\k<fence>$/gms;

/** All blocks of code in a Markdown text. */
export function codeBlocksIn(markdown: string): CodeBlock[] {
	return [...markdown.matchAll(BLOCK)].map(({ groups }) => ({
		language: groups?.['language'] ?? '',
		meta: groups?.['meta']?.trim() ?? '',
		code: groups?.['code'] ?? '',
		file: groups?.['file'],
	}));
}
