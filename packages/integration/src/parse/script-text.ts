import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import { attribute } from './html-elements.js';
import { parseMarkup } from './parse-markup.js';
import { atOnce, type Steps } from './steps.js';

// The documented shape; its attributes come in either order.
const STARTS = [
	'<script id="ServiceReviewSchemaJson" type="application/ld+json">',
	'<script type="application/ld+json" id="ServiceReviewSchemaJson">',
];
const END = '</script>';

/**
 * The text of the first JSON-LD script among the outermost elements of the service's JSON-LD; `undefined` if there is none.
 * @throws ReviewPayloadError if the markup has more elements than the limit.
 */
export function scriptText(markup: string): string | undefined {
	return atOnce(scriptTextInSteps(markup));
}

/** {@link scriptText} in {@link Steps}. */
export function* scriptTextInSteps(markup: string): Steps<string | undefined> {
	return scanScriptText(markup) ?? (yield* parseScriptText(markup));
}

/** Only for a script that contains nothing a parser would treat specially. */
function scanScriptText(markup: string): string | undefined {
	const start = STARTS.find((candidate) => markup.startsWith(candidate));
	if (start === undefined || !markup.endsWith(END) || markup.includes('\r') || markup.includes('\0'))
		return undefined;
	const end = markup.indexOf('<', start.length);
	return end === markup.length - END.length ? markup.slice(start.length, end) : undefined;
}

function* parseScriptText(markup: string): Steps<string | undefined> {
	const { childNodes } = yield* parseMarkup(markup, 'The structured data of the reviews');
	const script = childNodes.find(
		(node): node is DefaultTreeAdapterTypes.Element =>
			defaultTreeAdapter.isElementNode(node) &&
			node.tagName === 'script' &&
			attribute(node, 'type')?.trim().toLowerCase() === 'application/ld+json',
	);
	return script?.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('');
}
