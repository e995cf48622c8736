import { block, code, page } from './markdown.ts';
import { load } from './read-declarations.ts';

/** Commands, the file that exports their help, and their purpose. */
const COMMANDS = [
	[
		'astro-product-reviews',
		'integration/dist/cli/commands.js',
		'A part of `astro-product-reviews`. [The cache](/builds/cache/) and [Update pages in a second](/fresh/update/) show how to use it.',
	],
	[
		'product-reviews-webhook',
		'webhook/dist/node/command-line.js',
		'A package of its own, which `astro-product-reviews` brings along. [Webhooks](/fresh/webhooks/) shows how to use it.',
	],
	[
		'product-reviews-sandbox',
		'sandbox/dist/command.js',
		'The review service on your own machine, for development and tests.',
	],
] as const;

export function commandsPage(): string {
	const parts = COMMANDS.map(
		([name, file, text]) => `## ${code(name)}\n\n${text}\n\n${block(helpIn(file), 'txt')}`,
	);
	return page(
		{ title: 'Commands', description: 'The commands of the packages, and all their options.', order: 5 },
		['Each command prints this text with `--help`. Run them with `npx`.', ...parts],
	);
}

/** The help of a package's command, followed by that of each of its commands. */
function helpIn(file: string): string {
	const { HELP, helpOf, COMMANDS } = load(file);
	if (typeof helpOf !== 'function') return String(HELP);
	return [HELP, ...(COMMANDS as readonly unknown[]).map((command) => helpOf(command))].join('\n');
}
