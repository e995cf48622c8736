import { pathToFileURL } from 'node:url';
import { requireFromStores, STORES } from './installed.ts';

/** Tailwind 3 with both plugins, as `tailwindcss` builds it for a page. */
export async function tailwind3(html: string): Promise<string> {
	const postcss = requireFromStores('postcss');
	const plugin = requireFromStores('tailwindcss-3')({
		content: [{ raw: html, extension: 'html' }],
		darkMode: 'class',
		plugins: [requireFromStores('@tailwindcss/forms'), requireFromStores('@tailwindcss/typography')],
	});
	const { css } = await postcss([plugin]).process(
		'@tailwind base;@tailwind components;@tailwind utilities;',
		{
			from: undefined,
		},
	);
	return css;
}

/** Tailwind 4 with both plugins, as its own tools build it for a page. */
export async function tailwind4(html: string): Promise<string> {
	const { compile } = await import(pathToFileURL(requireFromStores.resolve('@tailwindcss/node')).href);
	const { build } = await compile(
		'@import "tailwindcss";@plugin "@tailwindcss/forms";@plugin "@tailwindcss/typography";@custom-variant dark (&:where(.dark, .dark *));',
		{ base: STORES, onDependency: () => {} },
	);
	return build([...new Set(html.split(/[\s"'<>=]+/))]);
}
