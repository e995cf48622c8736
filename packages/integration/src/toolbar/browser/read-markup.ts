import type { GivenMarkup } from '../../audit/markup.js';

/** Reads the structured data of the open page. */
export function readMarkup(): GivenMarkup {
	const all = <One extends Element>(selector: string) => [...document.querySelectorAll<One>(selector)];
	return {
		scripts: all('script[type="application/ld+json" i]').map(({ textContent }) => textContent ?? ''),
		microdata: all('[itemscope][itemtype]').flatMap((item) =>
			(item.getAttribute('itemtype') ?? '').split(/\s+/).filter(Boolean),
		),
		isNoindex: all<HTMLMetaElement>('meta[name="robots" i], meta[name="googlebot" i]').some(({ content }) =>
			/\b(?:noindex|none)\b/i.test(content),
		),
	};
}
