import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5';
import { ReviewPayloadError } from '../errors.js';
import { MAX_ELEMENTS } from './limits.js';
import type { Steps } from './steps.js';

/**
 * Parses markup as a browser does. Elements are counted while they are created, because the parser repeats unclosed
 * formatting in every block, which can turn 30 KB of html into millions of elements. It is fed in pieces.
 * @param what names the markup at the start of a message.
 * @throws ReviewPayloadError if it creates more elements than {@link MAX_ELEMENTS}, or far more than one piece can contain.
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
						? `${what} creates more than ${MAX_ELEMENTS} elements.`
						: `${what} creates more than ${MOST_OF_PIECE} elements from ${PIECE} characters.`,
					'Check what the service sends for this product.',
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

/** Length of the pieces that the parser is fed, in UTF-16 code units. */
const PIECE = 16_384;

/** Most elements from one piece, which itself can contain 5,000. Unclosed formatting elements are repeated. */
const MOST_OF_PIECE = 40_000;
