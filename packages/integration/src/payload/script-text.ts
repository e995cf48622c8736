import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import { attribute } from './html-elements.js';

/**
 * The text of the first JSON-LD script among the outermost elements of a fragment: the service sends nothing around it.
 * `undefined` where there is none.
 */
export function scriptText(fragment: DefaultTreeAdapterTypes.DocumentFragment): string | undefined {
	const script = fragment.childNodes.find(
		(node): node is DefaultTreeAdapterTypes.Element =>
			defaultTreeAdapter.isElementNode(node) &&
			node.tagName === 'script' &&
			attribute(node, 'type')?.trim().toLowerCase() === 'application/ld+json',
	);
	if (!script) return undefined;
	return script.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('');
}
