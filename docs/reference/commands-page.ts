import { block, code, page, table } from './markdown.ts';
import { load } from './read-declarations.ts';

interface Command {
	readonly name: string;
	readonly usage?: string;
	readonly summary: string;
	readonly help: readonly string[];
}

interface Option {
	readonly value?: string;
	readonly short?: string;
	readonly help: string;
}

/** An example of each command, and for what. */
const EXAMPLES: Readonly<Record<string, string>> = {
	update: 'npx astro-product-reviews update p-1 --then ./upload.sh --else "npm run build"',
	refresh: 'npx astro-product-reviews refresh',
	doctor: 'npx astro-product-reviews doctor --product p-1',
	report: 'npx astro-product-reviews report --html',
	'cache ls': 'npx astro-product-reviews cache ls --limit 20',
	'cache show': 'npx astro-product-reviews cache show p-1',
	'cache clear': 'npx astro-product-reviews cache clear p-1 p-2',
	'cache invalidate': 'npx astro-product-reviews cache invalidate p-1',
	explain: 'npx astro-product-reviews explain PR_SERVICE_TIMEOUT',
};

/** Commands of other packages: the file that exports their help, and their purpose. */
const OTHERS = [
	[
		'product-reviews-webhook',
		'webhook/dist/node/command-line.js',
		'Receives webhooks and starts a command, a deploy hook or a workflow. It comes with `astro-product-reviews`. [Webhooks](/fresh/webhooks/) shows how to use it.',
	],
	[
		'product-reviews-sandbox',
		'sandbox/dist/command.js',
		'Runs the review service on your own machine, for development and tests. [Develop and test without the service](/fresh/testing/) shows how to use it.',
	],
] as const;

export function commandsPage(): string {
	const { COMMANDS, optionsOf } = load('integration/dist/cli/commands.js') as {
		readonly COMMANDS: readonly Command[];
		readonly optionsOf: (command: Command) => readonly string[];
	};
	const { OPTIONS } = load('integration/dist/cli/terminal.js') as {
		readonly OPTIONS: Readonly<Record<string, Option>>;
	};
	const own = COMMANDS.flatMap((command) => {
		const { name, usage, summary, help } = command;
		const example = EXAMPLES[name];
		if (example === undefined) throw new Error(`The command "${name}" has no example.`);
		const rows = optionsOf(command).map((option) => optionRow(option, OPTIONS[option]));
		return [
			`### ${code(name)}`,
			`${summary}.`,
			block(['astro-product-reviews', name, usage, '[options]'].filter(Boolean).join(' '), 'txt'),
			...help.map(inProse),
			'For example:',
			block(example, 'sh'),
			table(['Option', 'Meaning'], rows),
		];
	});
	const others = OTHERS.flatMap(([name, file, text]) => [
		`## ${code(name)}`,
		text,
		block(String(load(file)['HELP']), 'txt'),
	]);
	return page(
		{
			title: 'Commands',
			description: 'Every command of the packages, with its options and an example.',
			order: 5,
		},
		[
			'Run these commands with `npx` in your project folder. For a short list, run a command with `--help`. For all options of one command, add its name, for example `npx astro-product-reviews update --help`.',
			'## `astro-product-reviews`',
			'Diagnoses and updates the product reviews in an Astro site. It comes with the integration. If a command fails, its exit code is 1, and the reason is on standard error.',
			...own,
			...others,
		],
	);
}

function optionRow(name: string, option: Option | undefined): readonly string[] {
	if (!option) throw new Error(`The option "${name}" is not described.`);
	const { value, short, help } = option;
	const flag = value === undefined ? `--${name}` : `--${name} <${value}>`;
	return [short ? `${code(flag)}, ${code(`-${short}`)}` : code(flag), inProse(help)];
}

/** The text of a terminal as Markdown: options, variables and placeholders are code. */
function inProse(text: string): string {
	return text.replace(/(?<![\w-])(?:--[a-z-]+|REVIEWS_\w+|<\w+>[.\w]*)/g, code);
}
