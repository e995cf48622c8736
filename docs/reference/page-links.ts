const PAGES = new URL('../src/content/docs/', import.meta.url);

interface Link {
	readonly url: string;
}

interface Context {
	readonly fileURL: URL | undefined;
	setProperty(node: Link, key: 'url', value: string): void;
}

/**
 * A plugin for Astro's Markdown processor: pages link to each other's files (`../fresh/update.md#cost`), so that links also
 * work in an editor and on a forge. In the site, they lead to the page (`/fresh/update/#cost`).
 */
export function pageLinks() {
	const leadToPage = (node: Link, context: Context) => {
		const [, path, hash = ''] = /^(\.{1,2}\/[^#]+)\.mdx?(#.*)?$/.exec(node.url) ?? [];
		if (path === undefined || !context.fileURL) return;
		const { href } = new URL(path, context.fileURL);
		if (href.startsWith(PAGES.href))
			context.setProperty(node, 'url', `/${href.slice(PAGES.href.length)}/${hash}`);
	};
	return { name: 'page-links', link: leadToPage, definition: leadToPage };
}
