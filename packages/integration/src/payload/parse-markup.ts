import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';
import { PayloadError } from '../errors.js';
import { MAX_ELEMENTS } from './limits.js';

/**
 * Parses markup as a browser does. Elements are counted while they are made: a browser's parser repeats formatting in
 * every block, so that 30 KB of html can become millions of elements.
 * @param what names the markup at the start of a message.
 * @throws PayloadError where it makes more elements than {@link MAX_ELEMENTS}.
 */
export function parseMarkup(markup: string, what: string): DefaultTreeAdapterTypes.DocumentFragment {
	let elements = 0;
	const treeAdapter: typeof defaultTreeAdapter = {
		...defaultTreeAdapter,
		createElement(tagName, namespaceURI, attributes) {
			elements += 1;
			if (elements > MAX_ELEMENTS) {
				throw new PayloadError(
					`${what} makes more than ${MAX_ELEMENTS} elements.`,
					'Look at what the service sends for this product.',
				);
			}
			return defaultTreeAdapter.createElement(tagName, namespaceURI, attributes);
		},
	};
	return parseFragment(markup, { treeAdapter });
}
