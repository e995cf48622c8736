import type { Framework } from './frameworks.ts';

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
