import { pathToFileURL } from 'node:url';
import type { AstroConfig, HookParameters } from 'astro';
import { createFolder } from 'product-reviews-test-support/folder';
import productReviews, { type ProductReviewsUserOptions } from '../../../src/index.js';

type Setup = HookParameters<'astro:config:setup'>;

/** Sets the integration up in an empty project. @returns what it adds to the site, and what it says of it */
export function setUp(
	options: ProductReviewsUserOptions,
	config: object = {},
	command: Setup['command'] = 'build',
) {
	const folder = createFolder();
	const root = pathToFileURL(`${folder}/`);
	const added: unknown[] = [];
	let plugins: AstroConfig['vite']['plugins'] = [];
	productReviews(options).hooks['astro:config:setup']?.({
		command,
		config: {
			root,
			cacheDir: root,
			base: '/',
			build: { format: 'directory' },
			experimental: {},
			vite: {},
			...config,
		},
		injectRoute: (route: unknown) => added.push(route),
		logger: { info: (line: string) => added.push(line), warn: (line: string) => added.push(line) },
		updateConfig: ({ vite }: Pick<AstroConfig, 'vite'>) => {
			plugins = vite.plugins;
		},
		...{ addMiddleware: () => {}, addDevToolbarApp: () => {} },
	} as unknown as Setup);
	return { folder, plugins, added };
}
