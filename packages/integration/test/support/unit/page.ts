import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { isOurs, nodesOf, toFound } from '../page/elements.js';

type Element = DefaultTreeAdapterTypes.Element;

const TITLE = 'The title of the page';

/** A whole page around what the components wrote, with an element before it and elements after it. */
export function pageAround(written: string): string {
	return `<!doctype html><html lang="en"><head><title>${TITLE}</title></head><body><main><p id="before"></p>${written}<p id="after"></p></main><footer></footer></body></html>`;
}

/** The elements of that page without what is written, each below its parent. */
const FRAME = [
	...['#document/html lang=en', 'html/head', 'head/title', 'html/body', 'body/main'],
	...['main/p id=before', 'main/p id=after', 'body/footer'],
].join('\n');

/** Our only script, which is data and does not run. */
const SCRIPT = 'script type=application/ld+json id=ServiceReviewSchemaJson';

/**
 * Looks at a page of {@link pageAround} as browsers do: one that runs scripts and one that does not.
 * @returns what our templates never write, or what is not where it was written, and the text of each script element.
 */
export function lookAtPage(page: string) {
	const first = lookAtPageWith(page, true);
	// To the parser, that is the only element that makes a difference; to parse takes most of the time of a test.
	if (!/<noscript/i.test(page)) return first;
	const second = lookAtPageWith(page, false);
	return { foreign: [...first.foreign, ...second.foreign], scripts: [...first.scripts, ...second.scripts] };
}

function lookAtPageWith(page: string, scriptingEnabled: boolean) {
	const foreign: string[] = [];
	const scripts: string[] = [];
	const frame: string[] = [];
	const document = parse(page, { scriptingEnabled, onParseError: ({ code }) => foreign.push(code) });
	/** Elements between the first and the last of `main`, and all that is in them. */
	const written = new Set<DefaultTreeAdapterTypes.Node>();
	for (const node of nodesOf(document)) {
		const isWritten = written.has(node);
		if ('childNodes' in node) {
			const inner = node.nodeName === 'main' ? node.childNodes.slice(1, -1) : [];
			const elements = inner.filter((child) => defaultTreeAdapter.isElementNode(child));
			for (const child of isWritten ? node.childNodes : elements) written.add(child);
		}
		if (defaultTreeAdapter.isCommentNode(node)) foreign.push(`<!--${node.data}-->`);
		if (defaultTreeAdapter.isTextNode(node) && !isWritten && node.value !== TITLE) foreign.push(node.value);
		if (!defaultTreeAdapter.isElementNode(node)) continue;
		if (!isWritten) frame.push(`${node.parentNode?.nodeName}/${shown(node)}`);
		else if (node.tagName === 'script' && shown(node) === SCRIPT)
			scripts.push(node.childNodes.map((child) => ('value' in child ? child.value : '')).join(''));
		else if (!isOurs(toFound(node))) foreign.push(`<${shown(node)}>`);
	}
	if (frame.join('\n') !== FRAME) foreign.push(`The page is\n${frame.join('\n')}`);
	return { foreign, scripts };
}

function shown({ tagName, attrs }: Element): string {
	return [tagName, ...attrs.map(({ name, value }) => `${name}=${value}`)].join(' ');
}
