interface Frontmatter {
	readonly title: string;
	readonly description: string;
	/** Place in the sidebar. */
	readonly order: number;
	/** Deepest headings of the table of contents. @default 3 */
	readonly contents?: number;
}

/** A page of the site, from its parts. */
export function page(
	{ title, description, order, contents = 3 }: Frontmatter,
	parts: readonly string[],
): string {
	const frontmatter = [
		'---',
		`title: ${JSON.stringify(title)}`,
		`description: ${JSON.stringify(description)}`,
		`sidebar: { order: ${order} }`,
		`tableOfContents: { maxHeadingLevel: ${contents} }`,
		'---',
	].join('\n');
	return `${[frontmatter, ...parts].filter((part) => part !== '').join('\n\n')}\n`;
}

/** A block of code. */
export function block(text: string, language = 'ts'): string {
	return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}

/** A table; empty without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	if (rows.length === 0) return '';
	const lines = [head, head.map(() => '---'), ...rows];
	return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

/** Code inside of a text. */
export function code(text: string): string {
	return `\`${text}\``;
}

/** A value as code; of words, only the values in them. */
export function values(text: string): string {
	if (IS_VALUE.test(text)) return code(text);
	return text
		.split(/(`[^`]*`)/)
		.map((part, index) => (index % 2 === 1 ? part : part.replace(/'[^']*'(?!\w)/g, code)))
		.join('');
}

const IS_VALUE = /^(?:'[^']*'|-?\d+|true|false|Infinity|\{.*\}|\[.*\])$/;

function cell(text: string): string {
	return text.replaceAll('\n\n', '<br>').replaceAll('\n', ' ').replaceAll('|', '\\|');
}
