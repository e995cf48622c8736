import { block, code, page } from './markdown.ts';
import { load } from './read-declarations.ts';

/** Commands, the file that exports their help as `HELP`, and what they are for. */
const COMMANDS = [
	[
		'astro-product-reviews',
		'integration/dist/cli/commands/help.js',
		'A part of `astro-product-reviews`. [The store](/builds/store/) and [Publish without a build](/publish/instant/) show how to use it.',
	],
	[
		'product-reviews-webhook',
		'webhook/dist/node/command-line.js',
		'A package of its own, which `astro-product-reviews` brings along. [Webhooks](/publish/webhooks/) shows how to use it.',
	],
	[
		'product-reviews-sandbox',
		'sandbox/dist/command.js',
		'The review service on your own machine, for development and tests.',
	],
] as const;

export function commandsPage(): string {
	const parts = COMMANDS.map(
		([name, file, text]) => `## ${code(name)}\n\n${text}\n\n${block(String(load(file)['HELP']), 'txt')}`,
	);
	return page(
		{ title: 'Commands', description: 'The commands of the packages, and all their options.', order: 5 },
		['Each command prints this text with `--help`. Run them with `npx`.', ...parts],
	);
}
