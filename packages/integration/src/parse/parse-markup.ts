import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5';
import { ReviewPayloadError } from '../errors.js';
import { MAX_ELEMENTS } from './limits.js';
import type { Steps } from './steps.js';

/**
 * Parses markup as a browser does. Elements are counted while they are made: a browser's parser repeats formatting in
 * every block, so that 30 KB of html can become millions of elements. The parser is given the markup in pieces.
 * @param what names the markup at the start of a message.
 * @throws ReviewPayloadError where it makes more elements than {@link MAX_ELEMENTS}, or far more of one piece than that could hold.
 */
export function* parseMarkup(markup: string, what: string): Steps<DefaultTreeAdapterTypes.DocumentFragment> {
	let elements = 0;
	let mostNow = MOST_OF_PIECE;
	const treeAdapter: typeof defaultTreeAdapter = {
		...defaultTreeAdapter,
		createElement(tagName, namespaceURI, attributes) {
			elements += 1;
			if (elements > MAX_ELEMENTS || elements > mostNow) {
				throw new ReviewPayloadError(
					elements > MAX_ELEMENTS
						? `${what} makes more than ${MAX_ELEMENTS} elements.`
						: `${what} makes more than ${MOST_OF_PIECE} elements of ${PIECE} characters.`,
					'Look at what the service sends for this product.',
				);
			}
			return defaultTreeAdapter.createElement(tagName, namespaceURI, attributes);
		},
	};
	const parser = Parser.getFragmentParser<DefaultTreeAdapterMap>(null, { treeAdapter });
	for (let start = 0; start === 0 || start < markup.length; start += PIECE) {
		mostNow = elements + MOST_OF_PIECE;
		parser.tokenizer.write(markup.slice(start, start + PIECE), start + PIECE >= markup.length);
		yield;
	}
	return parser.getFragment();
}

/** What the parser is given at once, in UTF-16 code units. */
const PIECE = 16_384;

/** Most elements of one piece, which could hold 5,000: a text that leaves some open has them repeated. */
const MOST_OF_PIECE = 40_000;
