import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import { attribute } from './html-elements.js';
import { parseMarkup } from './parse-markup.js';

// The documented shape; its attributes come in either order. What is in it holds no tag, so that a parser would find the
// same text.
const DOCUMENTED =
	/^<script (?:id="ServiceReviewSchemaJson" type="application\/ld\+json"|type="application\/ld\+json" id="ServiceReviewSchemaJson")>([^<\r\0]*)<\/script>$/;

/**
 * The text of the first JSON-LD script among the outermost elements of the service's JSON-LD. `undefined` where there is
 * none.
 * @throws PayloadError where the markup has more elements than the limit.
 */
export function scriptText(markup: string): string | undefined {
	const documented = DOCUMENTED.exec(markup);
	return documented ? documented[1] : parseScriptText(markup);
}

function parseScriptText(markup: string): string | undefined {
	const { childNodes } = parseMarkup(markup, 'The structured data of the reviews');
	const script = childNodes.find(
		(node): node is DefaultTreeAdapterTypes.Element =>
			defaultTreeAdapter.isElementNode(node) &&
			node.tagName === 'script' &&
			attribute(node, 'type')?.trim().toLowerCase() === 'application/ld+json',
	);
	return script?.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('');
}
