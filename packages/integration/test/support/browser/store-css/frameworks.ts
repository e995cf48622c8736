import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORES } from './installed.ts';
import { tailwind3, tailwind4 } from './tailwind.ts';

/** What a store's page is styled with. */
export interface Framework {
	readonly name: string;
	/** Its whole stylesheet. @param html of the page, for those that write only what a page uses. */
	css(html: string): string | Promise<string>;
	/** Whether its stylesheet comes before ours. */
	readonly isFirst?: boolean;
	/** Classes of the element around everything, as its documentation says. */
	readonly wrapper?: string;
	/** Attributes of the root element in a light page, and in one that is dark by them. */
	readonly light?: string;
	readonly dark?: string;
}

/** The files of a package, one after the other. */
const files =
	(...paths: readonly string[]) =>
	() =>
		paths.map((path) => readFileSync(join(STORES, 'node_modules', path), 'utf8')).join('\n');

const STARLIGHT = ['layers', 'props', 'reset', 'asides', 'anchor-links', 'markdown', 'util'].map(
	(name) => `@astrojs/starlight/dist/style/${name}.css`,
);

/** How a page is styled that everything else is compared with: not at all. */
export const REFERENCE: Framework = { name: 'no reset', css: () => '' };

/** What people style stores with; with some of them, in both orders of the stylesheets. */
export const FRAMEWORKS: readonly Framework[] = [
	REFERENCE,
	{ name: 'Tailwind 3', css: tailwind3 },
	{ name: 'Tailwind 3, first', css: tailwind3, isFirst: true },
	{ name: 'Tailwind 3, prose', css: tailwind3, wrapper: 'prose max-w-none dark:prose-invert' },
	{ name: 'Tailwind 4', css: tailwind4 },
	{ name: 'Tailwind 4, first', css: tailwind4, isFirst: true },
	{ name: 'Tailwind 4, prose', css: tailwind4, wrapper: 'prose max-w-none dark:prose-invert' },
	{ name: 'Bootstrap', css: files('bootstrap/dist/css/bootstrap.css'), dark: 'data-bs-theme="dark"' },
	{ name: 'Everything 0', css: () => '* { margin: 0; padding: 0; box-sizing: border-box }' },
	{ name: 'modern-normalize', css: files('modern-normalize/modern-normalize.css') },
	{
		name: 'sanitize.css',
		css: files(
			...['sanitize', 'assets', 'forms', 'reduce-motion', 'typography'].map(
				(name) => `sanitize.css/${name}.css`,
			),
		),
	},
	{ name: 'Pico', css: files('@picocss/pico/css/pico.css'), wrapper: 'container', dark: 'data-theme="dark"' },
	{ name: 'Bulma', css: files('bulma/css/bulma.css'), wrapper: 'section' },
	{ name: 'Open Props', css: files('open-props/open-props.min.css', 'open-props/normalize.min.css') },
	{
		name: 'Starlight',
		css: files(...STARLIGHT),
		wrapper: 'sl-markdown-content',
		light: 'data-theme="light"',
		dark: 'data-theme="dark"',
	},
	{ name: 'water.css', css: files('water.css/out/water.css') },
	{ name: 'Simple.css', css: files('simpledotcss/simple.css') },
	{ name: 'MVP.css', css: files('mvp.css/mvp.css') },
	{ name: 'normalize.css', css: files('normalize.css/normalize.css') },
	{ name: 'Meyer', css: files('reset-css/reset.css') },
	{ name: 'The new CSS reset', css: files('the-new-css-reset/css/reset.css') },
	{ name: 'UIkit', css: files('uikit/dist/css/uikit.css') },
	{ name: 'Foundation', css: files('foundation-sites/dist/css/foundation.css') },
	{
		name: 'Own radio buttons',
		css: () =>
			'[type="radio"]:not(:checked), [type="radio"]:checked { opacity: .5; position: static; pointer-events: none; width: 2rem } [type="radio"]:checked + *, [type="radio"]:not(:checked) + * { padding-inline-start: 3rem; font-weight: 700 } [type="radio"] + *::before { content: "◯"; position: absolute } label:has([type="radio"]) { display: flex; padding: 1rem; border: 1px solid }',
	},
	{
		name: 'Bare',
		css: () =>
			'*, ::before, ::after { margin: 0; padding: 0; border: 0; font: inherit; line-height: 1; list-style: none; background: none } *:focus { outline: none !important } ul li::before { content: "–" } section, article, details, figure, form, label { display: flex; padding: 1rem; border: 2px solid } h2:first-child, article h3:first-child { margin-top: 3rem; text-transform: uppercase } main article p:last-child { margin-bottom: 3rem }',
	},
];
