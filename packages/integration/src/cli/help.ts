import { COMMANDS, type Command } from './commands.js';
import { OPTIONS, type OptionName } from './options.js';
import { wrap } from './terminal.js';

/** Column in which the texts of a list begin. */
const INDENT = 27;

/** All options of a command. */
export function optionsOf({ options }: Pick<Command, 'options'>): readonly OptionName[] {
	return [...options, 'root', 'help'];
}

/** Text of `--help`. */
export const HELP = `Writes product reviews into the pages of an Astro site, and looks after them.

Usage: astro-product-reviews <command> [options]

${COMMANDS.flatMap(({ name, usage, summary }) => columns([name, usage].filter(Boolean).join(' '), summary)).join('\n')}

  astro-product-reviews help <command>   All options of a command
  astro-product-reviews --version        Version of this package

Put an id that starts with a dash after --:
  astro-product-reviews cache show -- -7
`;

/** Help of one command. */
export function helpOf(command: Command): string {
	const { name, usage, help } = command;
	const lines = optionsOf(command).flatMap((option) => {
		const { value, help, short } = { value: undefined, short: undefined, ...OPTIONS[option] };
		return columns(`--${option}${value ? ` <${value}>` : ''}${short ? `, -${short}` : ''}`, help);
	});
	const paragraphs = help.map((paragraph) => `${wrap(paragraph, 0).join('\n')}\n`);
	const line = ['astro-product-reviews', name, usage, '[options]'].filter(Boolean).join(' ');
	return [`Usage: ${line}\n`, ...paragraphs, `${lines.join('\n')}\n`].join('\n');
}

function columns(term: string, meaning: string): string[] {
	const [first = '', ...rest] = wrap(meaning, INDENT);
	const head = `  ${term.padEnd(INDENT - 2)}`;
	const lines = rest.map((line) => ' '.repeat(INDENT) + line);
	if (head.length > INDENT) return [head, ' '.repeat(INDENT) + first, ...lines];
	return [head + first, ...lines];
}
