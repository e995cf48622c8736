import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where the stylesheets of stores are installed: not a workspace, so that nobody else has to download them. */
export const STORES = fileURLToPath(new URL('../../browser/stylesheets', import.meta.url));

/** Resolves packages as a file of that folder does. */
const requireFromStores = createRequire(join(STORES, 'package.json'));

/** Installs the stylesheets where they are missing or out of date: once, before all tests. */
export default function installStylesheets(): void {
	const stamp = join(STORES, 'node_modules/.installed-from');
	const lock = readFileSync(join(STORES, 'package-lock.json'));
	const wanted = createHash('sha256').update(lock).digest('hex');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
	// Not `npm ci`: it refuses a lock file that lacks a binary for a platform which the registry did not have.
	const options = ['--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
	execFileSync('npm', ['install', ...options], { cwd: STORES });
	writeFileSync(stamp, wanted);
}

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

/** Tailwind 3 with both plugins, as `tailwindcss` builds it for a page. */
async function tailwind3(html: string): Promise<string> {
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
async function tailwind4(html: string): Promise<string> {
	const { compile } = await import(pathToFileURL(requireFromStores.resolve('@tailwindcss/node')).href);
	const { build } = await compile(
		'@import "tailwindcss";@plugin "@tailwindcss/forms";@plugin "@tailwindcss/typography";@custom-variant dark (&:where(.dark, .dark *));',
		{ base: STORES, onDependency: () => {} },
	);
	return build([...new Set(html.split(/[\s"'<>=]+/))]);
}

export const SCHEMES = ['light', 'dark by class', 'dark by media'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** A store's own few rules: a column, and a dark page that says nothing of `color-scheme`. */
const PAGE = `
html body { display: block; max-width: none; margin: 0; padding: 0 }
.page { box-sizing: border-box; max-width: 72rem; margin-inline: auto; padding: 1rem }
html.night, html.night body, html.night .page { background: #0f172a; color: #e2e8f0 }
@media (prefers-color-scheme: dark) { html.dusk, html.dusk body, html.dusk .page { background: #14181d; color: #eceff3 } }
`;

/** A built page as it is in a store that is styled with a framework. @param ours our stylesheet */
export async function dressPage(
	html: string,
	ours: string,
	framework: Framework,
	scheme: Scheme,
): Promise<string> {
	const bare = html.replace(/<link rel="stylesheet"[^>]*>/g, '').replace(/<style[\s\S]*?<\/style>/g, '');
	const night = scheme === 'dark by class';
	const className = night ? 'dark night' : scheme === 'dark by media' ? 'dusk' : 'day';
	const attributes = (night ? framework.dark : framework.light) ?? '';
	const dressed = bare
		.replace('<html', `<html class="${className}" ${attributes}`)
		.replace('class="page"', `class="page ${framework.wrapper ?? ''}"`);
	const theirs = await cssFor(framework, dressed);
	const sheets = framework.isFirst ? [theirs, ours] : [ours, theirs];
	const styles = [...sheets, PAGE].map((css) => `<style>${css}</style>`).join('');
	return dressed.replace('</head>', () => `${styles}</head>`);
}

const written = new Map<Framework['css'], Map<string, Promise<string>>>();

/** A framework's stylesheet, written once for all pages that differ in no more than their root element. */
function cssFor({ css }: Framework, html: string): Promise<string> {
	const content = html.slice(html.indexOf('<head'));
	const ofFramework = written.get(css) ?? new Map<string, Promise<string>>();
	written.set(css, ofFramework);
	const known = ofFramework.get(content) ?? Promise.resolve(css(html));
	ofFramework.set(content, known);
	return known;
}
