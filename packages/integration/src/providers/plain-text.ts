import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';

/** Elements whose contents are no text of a review. */
const SKIPPED: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template', 'noscript', 'iframe']);

/** Elements that stand on lines of their own. */
const BLOCKS: ReadonlySet<string> = new Set([
	...['address', 'article', 'aside', 'dd', 'div', 'dl', 'dt', 'figcaption', 'figure', 'footer', 'header'],
	...['hr', 'li', 'main', 'nav', 'section', 'table', 'tr'],
]);

/** Elements with space around them. */
const PARAGRAPHS: ReadonlySet<string> = new Set([
	...['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ol', 'p', 'pre', 'ul'],
]);

/**
 * Reads html, or text with entities, as plain text: for a provider whose source of reviews sends html. Line breaks stay, tags go,
 * and entities are decoded exactly once. Text without tags keeps its own line breaks.
 * @param html `null` and `undefined` are read as no text.
 * @example plainText('<p>Nice &#8211; it&#8217;s great</p>') // 'Nice – it’s great'
 * @example plainText('Tom &amp; Ann') // 'Tom & Ann'
 */
export function plainText(html: string | null | undefined): string {
	let text = '';
	let hasTags = false;
	let skipped: string | undefined;
	let preformatted = 0;
	/** Line breaks since the last letter. */
	let breaks = 0;
	const add = ({ chars }: Token.CharacterToken) => {
		if (skipped !== undefined) return;
		text += preformatted > 0 ? chars.replaceAll('\n', BREAK) : chars;
		if (/\S/.test(chars)) breaks = 0;
	};
	const breakLine = (times = 1) => {
		text += BREAK.repeat(times);
		breaks += times;
	};
	const breakAt = (name: string) => {
		const needed = PARAGRAPHS.has(name) ? 2 : BLOCKS.has(name) ? 1 : 0;
		if (skipped === undefined && breaks < needed) breakLine(needed - breaks);
	};
	const handler: TokenHandler = {
		onStartTag({ tagName, attrs }) {
			hasTags = true;
			if (skipped !== undefined) return;
			if (SKIPPED.has(tagName)) {
				skipped = tagName;
				// Whatever looks like a tag in a script is none.
				if (tagName !== 'template' && tagName !== 'noscript') tokenizer.state = TokenizerMode.RAWTEXT;
			}
			if (tagName === 'br') breakLine();
			if (tagName === 'img' && attrs.some(isEmoji))
				text += attrs.find(({ name }) => name === 'alt')?.value ?? '';
			if (tagName === 'pre') preformatted += 1;
			breakAt(tagName);
		},
		onEndTag({ tagName }) {
			hasTags = true;
			if (tagName === skipped) skipped = undefined;
			if (tagName === 'pre') preformatted = Math.max(0, preformatted - 1);
			breakAt(tagName);
		},
		onCharacter: add,
		onWhitespaceCharacter: add,
		onNullCharacter() {},
		onComment() {
			hasTags = true;
		},
		onDoctype() {},
		onEof() {},
	};
	const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler);
	tokenizer.write(html ?? '', true);
	if (!hasTags) return text.trim();
	const lines = text.replace(/[ \t\n\r\f]+/g, ' ').split(BREAK);
	return lines
		.map((line) => line.trim())
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}

/** Stands for a line break while whitespace is collapsed. The tokenizer gives no text with it. */
const BREAK = '\0';

/** WordPress makes images of emoji. */
function isEmoji({ name, value }: Token.Attribute): boolean {
	return name === 'class' && /\b(?:emoji|wp-smiley)\b/.test(value);
}
